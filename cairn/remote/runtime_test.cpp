// Copy times against closed forms, and the semantics of the runtime.
//
// A device of mc_dla_ring has a memory-node on either side, three links of 25 GB/s to each (75
// GB/s), and half of each one's memory (128 GB/s). A copy of D bytes alone takes
//   t = l_source + l_link + max over memory-nodes n of  D_n / min(75 GB/s, 128 GB/s)
#include "cairn/remote/runtime.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "cairn/platform/topology/dgx1.hpp"
#include "cairn/platform/topology/grid.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/remote/array.hpp"

namespace cairn::remote {
namespace {

using platform::topology::make_mc_dla_ring;

constexpr std::uint64_t kMiB = 1024ULL * 1024;
constexpr double kSide = 75e9;
constexpr double kGroup = 128e9;
constexpr double kLinkLatency = 500e-9;
constexpr double kLocalLatency = 100e-9;
constexpr double kOut = kLocalLatency + kLinkLatency;
constexpr double kNodeLatency = 100e-9;
constexpr double kIn = kNodeLatency + kLinkLatency;

Options with(PagePlacement placement) {
  return {.placement = placement, .local = {.capacity = 256 * kMiB}, .node_capacity = 512 * kMiB};
}

Runtime ring(PagePlacement placement) {
  return {make_mc_dla_ring({.latency = Seconds(kLinkLatency)}), with(placement)};
}

// The clock rounds up to a picosecond, once per event.
void expect_time(const Runtime& runtime, double expected, double events = 1.0) {
  EXPECT_GE(runtime.elapsed().si(), expected * (1.0 - 1e-12));
  EXPECT_LE(runtime.elapsed().si(), expected * (1.0 + 1e-12) + events * 1e-12);
}

cairn_status status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return CAIRN_OK;
}

using Bytes8 = Array<std::byte>;

TEST(CopyTime, BandwidthAwareTakesHalfOfLocal) {
  for (const std::uint64_t size : {4 * kMiB, 12 * kMiB, 32 * kMiB}) {
    const auto bytes = static_cast<double>(size);
    for (const auto& [placement, rate] : {std::pair(PagePlacement::kLocal, kSide),
                                          std::pair(PagePlacement::kBandwidthAware, 2.0 * kSide)}) {
      Runtime runtime = ring(placement);
      const Bytes8 near(runtime, Kind::kLocal, size);
      const Bytes8 far(runtime, Kind::kRemote, size);

      far.copy_from(near);
      runtime.synchronize();
      expect_time(runtime, kOut + bytes / rate);

      near.copy_from(far);
      runtime.synchronize();
      expect_time(runtime, kOut + kIn + 2.0 * bytes / rate, 2.0);
    }
  }
}

// Five pages: three on one side.
TEST(CopyTime, IsDeterminedByTheSideWithMorePages) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const Bytes8 near(runtime, Kind::kLocal, 10 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 10 * kMiB);

  far.copy_from(near);
  runtime.synchronize();

  expect_time(runtime, kOut + 6.0 * kMiB / kSide);
}

TEST(CopyTime, OfAPartialPageCountsItsBytes) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const Bytes8 near(runtime, Kind::kLocal, 8 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 8 * kMiB);

  // From the middle of page 0: 1 MiB there, 2 MiB on the other side, 0.5 MiB on the first again.
  runtime.copy(far.address() + kMiB,
               near.address(),
               3 * kMiB + kMiB / 2,
               Direction::kLocalToRemote,
               kDefaultStream);
  runtime.synchronize();

  expect_time(runtime, kOut + 2.0 * kMiB / kSide);
}

TEST(CopyTime, IsBoundByTheGroupOfTheMemoryNode) {
  Runtime runtime(
      make_mc_dla_ring({.memory_node = {.dimms = 4, .dimm_bandwidth = BytesPerSecond(25e9)}}),
      with(PagePlacement::kBandwidthAware));
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);

  far.copy_from(near);
  runtime.synchronize();

  expect_time(runtime, kLocalLatency + 16.0 * kMiB / (2.0 * 50e9));
}

TEST(CopyTime, IsBoundByTheMemoryOfTheDevice) {
  Options options = with(PagePlacement::kBandwidthAware);
  options.local.bandwidth = BytesPerSecond(90e9);
  Runtime runtime(make_mc_dla_ring({}), options);
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);
  const Bytes8 other(runtime, Kind::kLocal, 16 * kMiB);

  far.copy_from(near);
  runtime.synchronize();
  expect_time(runtime, kLocalLatency + 16.0 * kMiB / 90e9, 2.0);

  other.copy_from(near);  // read and written there
  runtime.synchronize();
  expect_time(runtime, 2.0 * kLocalLatency + 3.0 * 16.0 * kMiB / 90e9, 3.0);
}

TEST(CopyTime, UsesTheHostWithoutMemoryNodes) {
  const auto host = platform::topology::make_cube_mesh({.host = true});
  const auto store = backing_store(host, 0, PagePlacement::kLocal);
  double slowest = store.front().bandwidth.si();
  for (const platform::Hop& hop : store.front().out.hops) {
    slowest = std::min(slowest, host.graph.class_of(hop.link).bandwidth.si());
  }
  Runtime runtime(host, with(PagePlacement::kBandwidthAware));
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);

  far.copy_from(near);
  runtime.synchronize();

  expect_time(runtime,
              kLocalLatency + store.front().out.latency_for(Bytes(16.0 * kMiB)).si() +
                  16.0 * kMiB / slowest);
}

TEST(Streams, RunTheirCopiesInOrder) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const Bytes8 first(runtime, Kind::kLocal, 4 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 4 * kMiB);
  const Bytes8 last(runtime, Kind::kLocal, 4 * kMiB);
  first.view()[5] = std::byte(42);

  far.copy_from(first);
  last.copy_from(far);
  runtime.synchronize(kDefaultStream);

  EXPECT_EQ(last.view()[5], std::byte(42));
  expect_time(runtime, kOut + kIn + 2.0 * 4.0 * kMiB / (2.0 * kSide), 2.0);
}

TEST(Streams, ShareTheLinksEqually) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const StreamId other = runtime.create_stream();
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);
  const Bytes8 short_far(runtime, Kind::kRemote, 4 * kMiB);

  far.copy_from(near);
  runtime.copy(short_far.address(), near.address(), 4 * kMiB, Direction::kLocalToRemote, other);

  // Both at half the rate until the short one is done; the long one has the rest to itself.
  runtime.synchronize(other);
  expect_time(runtime, kOut + 4.0 * kMiB / kSide);
  runtime.synchronize();
  expect_time(runtime, kOut + 4.0 * kMiB / kSide + (16.0 - 4.0) * kMiB / (2.0 * kSide), 2.0);
}

// Links are full duplex, but the group's 128 GB/s are for reads and writes together: 64 GB/s each.
TEST(Streams, InOppositeDirectionsShareTheMemoryOfTheNode) {
  for (const auto& [placement, sides] :
       {std::pair(PagePlacement::kLocal, 1.0), std::pair(PagePlacement::kBandwidthAware, 2.0)}) {
    Options options = with(placement);
    options.local.latency = Seconds(0.0);
    Runtime runtime(make_mc_dla_ring({.latency = Seconds(kLinkLatency),
                                      .memory_node = {.latency = Seconds(0.0)}}),
                    options);
    const StreamId other = runtime.create_stream();
    const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
    const Bytes8 back(runtime, Kind::kLocal, 16 * kMiB);
    const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);
    const Bytes8 stored(runtime, Kind::kRemote, 16 * kMiB);

    far.copy_from(near);
    back.copy_from(stored, other);
    runtime.synchronize();

    expect_time(runtime, kLinkLatency + 16.0 * kMiB / (sides * kGroup / 2.0), 2.0);
  }
}

TEST(Copy, TakesEffectAtTheInstantItCompletes) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);
  const Seconds needed(kOut + 16.0 * kMiB / (2.0 * kSide));
  near.view()[9] = std::byte(1);

  far.copy_from(near);
  EXPECT_EQ(runtime.elapsed(), Seconds(0.0));
  runtime.advance(needed * 0.999);
  EXPECT_EQ(far.view()[9], std::byte(0));
  near.view()[9] = std::byte(2);  // read when it completes
  runtime.advance(needed * 0.001 + Seconds(2e-12));

  EXPECT_EQ(far.view()[9], std::byte(2));
  expect_time(runtime, needed.si(), 4.0);
}

// Two short copies on one stream end together with a long one on the other: at half of 2^34 B/s,
// the 2 MiB on either side take 2^-12 s, a whole number of picoseconds.
TEST(Copy, AtTheSameInstantTakesEffectInSubmissionOrder) {
  Options options = with(PagePlacement::kBandwidthAware);
  options.local.latency = Seconds(0.0);
  Runtime runtime(make_mc_dla_ring({.rings = 1, .bandwidth = BytesPerSecond(0x1p34)}), options);
  const StreamId other = runtime.create_stream();
  const Bytes8 one(runtime, Kind::kLocal, 4 * kMiB);
  const Bytes8 two(runtime, Kind::kLocal, 8 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 8 * kMiB);
  one.view()[0] = std::byte(1);
  two.view()[0] = std::byte(2);
  const auto copy = [&](const Bytes8& from, StreamId stream) {
    runtime.copy(far.address(), from.address(), from.bytes(), Direction::kLocalToRemote, stream);
  };

  copy(two, other);
  copy(one, kDefaultStream);
  copy(one, kDefaultStream);  // submitted last
  runtime.synchronize();
  EXPECT_EQ(far.view()[0], std::byte(1));

  copy(one, kDefaultStream);
  copy(one, kDefaultStream);
  copy(two, other);  // submitted last
  runtime.synchronize();
  EXPECT_EQ(far.view()[0], std::byte(2));
  EXPECT_DOUBLE_EQ(runtime.elapsed().si(), 4.0 * 0x1p-12);
}

TEST(Copy, ProceedsWhileTheProgramComputes) {
  Runtime runtime = ring(PagePlacement::kBandwidthAware);
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);

  far.copy_from(near);
  runtime.advance(Seconds(1.0));
  runtime.synchronize();

  EXPECT_DOUBLE_EQ(runtime.elapsed().si(), 1.0);
}

TEST(Free, WaitsForCopiesThatUseTheMemory) {
  Runtime runtime = ring(PagePlacement::kLocal);
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Address far = runtime.malloc(Kind::kRemote, 16 * kMiB);
  runtime.copy(far, near.address(), 16 * kMiB, Direction::kLocalToRemote, kDefaultStream);

  runtime.free(Kind::kRemote, far);

  expect_time(runtime, kOut + 16.0 * kMiB / kSide);
  EXPECT_EQ(runtime.memory().free_pages(Kind::kRemote), 512U);
}

TEST(Runtime, RequiresRemoteMemory) {
  const auto bare =
      platform::topology::make_ring({.devices = 4, .bandwidth = BytesPerSecond(25e9)});
  EXPECT_EQ(status_of([&] { const Runtime runtime(bare, {}); }), CAIRN_ERROR_NO_REMOTE_MEMORY);
  EXPECT_EQ(status_of([&] { const Runtime runtime(make_mc_dla_ring({}), {.device = 8}); }),
            CAIRN_ERROR_INVALID_PLATFORM);
}

TEST(Runtime, StopsAtTheEndOfSimulatedTime) {
  Runtime runtime(make_mc_dla_ring({.bandwidth = BytesPerSecond(0.01)}),
                  with(PagePlacement::kBandwidthAware));
  const Bytes8 near(runtime, Kind::kLocal, 16 * kMiB);
  const Bytes8 far(runtime, Kind::kRemote, 16 * kMiB);
  far.copy_from(near);

  EXPECT_EQ(status_of([&] { runtime.synchronize(); }), CAIRN_ERROR_TIME_LIMIT);
  EXPECT_EQ(status_of([&] { runtime.synchronize(); }), CAIRN_ERROR_TIME_LIMIT);
}

// 1.25 TiB beside the device, as the paper's largest memory-nodes give.
TEST(Runtime, HoldsATerabyte) {
  Runtime runtime(make_mc_dla_ring({}), {});
  const std::uint64_t terabyte = std::uint64_t{1} << 40U;

  const Address address = runtime.malloc(Kind::kRemote, terabyte);
  *runtime.map(address + terabyte - 1, 1) = std::byte(7);

  EXPECT_EQ(*runtime.map(address + terabyte - 4, 4), std::byte(0));
  EXPECT_EQ(runtime.map(address + terabyte - 4, 4)[3], std::byte(7));
  runtime.free(Kind::kRemote, address);
}

}  // namespace
}  // namespace cairn::remote
