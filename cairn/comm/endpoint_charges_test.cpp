#include "cairn/comm/endpoint_charges.hpp"

#include <gtest/gtest.h>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

// Memory traffic of endpoints per byte of a device's payload, averaged over devices.
MemoryTraffic per_payload_byte(const std::string& platform_text,
                               Op op,
                               const Algorithm& algorithm,
                               Accounting accounting,
                               View view = View::kEveryMember) {
  const platform::Platform platform = platform::read_platform(platform_text, {});
  GroupLayout layout = make_group_layout(platform, {});
  layout.first_position_only = view == View::kOnePerClass;
  const Collective collective{.op = op, .size = Bytes(1e6)};
  platform::Router router(platform);
  ProgramBuilder builder(router, view, {.executor = Executor::kCores, .accounting = accounting});
  builder.add(collective, layout, algorithm.schedule(collective, layout), {.chunks = 4});
  return builder.take().moved * (1.0 / (1e6 * layout.positions));
}

void expect_traffic(const MemoryTraffic& found, double read, double written) {
  EXPECT_NEAR(found.read, read, 1e-12);
  EXPECT_NEAR(found.written, written, 1e-12);
}

// n-1 steps of 1/n: 1 read before the first, 2 after each; a write of each, and of the sum.
TEST(EndpointCharges, RingReduceScatterCountsTheFirstAndTheLastStep) {
  for (const int n : {2, 3, 8}) {
    const double k = n - 1;
    expect_traffic(per_payload_byte("ring:" + std::to_string(n) + "@25GB/s,0ns",
                                    Op::kReduceScatter,
                                    kRing,
                                    Accounting::kExact),
                   (2.0 * k + 1.0) / n,
                   (k + 1.0) / n);
  }
}

TEST(EndpointCharges, RingAllGatherReadsAndWritesEachByteOnce) {
  expect_traffic(per_payload_byte("ring:8@25GB/s,0ns", Op::kAllGather, kRing, Accounting::kExact),
                 7.0 / 8.0,
                 7.0 / 8.0);
}

// ACE's 4 phases on 4 x 4 x 4: a reduce-scatter of 1 (7/4 read, 1 written), two all-reduces of 1/4
// (each 7/16 + 3/16 and 4/16 + 3/16), an all-gather of 1 (3/4 and 3/4).
TEST(EndpointCharges, FourPhasesOnATorusAddUp) {
  const std::string torus = "torus:4x4x4@200GB/s,25GB/s,25GB/s";
  for (const View view : {View::kEveryMember, View::kOnePerClass}) {
    expect_traffic(per_payload_byte(torus, Op::kAllReduce, kHierarchical, Accounting::kExact, view),
                   3.75,
                   2.625);
    // 1.5 for each of 2.25 bytes sent
    expect_traffic(per_payload_byte(torus, Op::kAllReduce, kHierarchical, Accounting::kPaper, view),
                   1.5 * 2.25,
                   0.0);
  }
}

// n-1 blocks of 1/n reach each device at once and are reduced with its own block.
TEST(EndpointCharges, DirectReduceScatterReadsItsOwnBlockOnce) {
  const double n = 6.0;
  for (const View view : {View::kEveryMember, View::kOnePerClass}) {
    expect_traffic(
        per_payload_byte(
            "switch:6@25GB/s,0ns", Op::kReduceScatter, kDirect, Accounting::kExact, view),
        (n - 1.0) / n + 1.0,       // sent; received and its own
        (n - 1.0) / n + 1.0 / n);  // received; the sum
  }
}

// On a ring of 5 a message to the second neighbour is read and written once more in between:
// 4 messages of 1/5, two of which take two hops.
TEST(EndpointCharges, ForwardedMessagesCountEveryHop) {
  for (const View view : {View::kEveryMember, View::kOnePerClass}) {
    expect_traffic(
        per_payload_byte("ring:5@25GB/s,0ns", Op::kAllToAll, kDirect, Accounting::kExact, view),
        6.0 / 5.0,
        6.0 / 5.0);
  }
}

TEST(EndpointCharges, MemoryNodesAndSwitchesForwardForFree) {
  expect_traffic(
      per_payload_byte("mc_dla_ring:8x3@25GB/s,0ns", Op::kAllGather, kRing, Accounting::kExact),
      7.0 / 8.0,
      7.0 / 8.0);
}

// A chain of n devices that ends at the root: all but the first reduce what they receive.
TEST(EndpointCharges, ReductionsAreChargedToTheReceiver) {
  const double n = 4.0;
  expect_traffic(per_payload_byte("ring:4@25GB/s,0ns", Op::kReduce, kRing, Accounting::kExact),
                 (n - 1.0) * 3.0 / n,
                 (n - 1.0) * 2.0 / n);
}

TEST(EndpointCharges, IdealEndpointHasNone) {
  const platform::Platform ring = platform::read_platform("ring:4@25GB/s,0ns", {});
  const GroupLayout layout = make_group_layout(ring, {});
  const CollectiveSchedule schedule = kRing.schedule({.size = Bytes(1e6)}, layout);

  for (const Charges& charges : charges_of(schedule.parts.front(), layout, {})) {
    EXPECT_EQ(charges.sender.read + charges.receiver.read + charges.receiver.written, 0.0);
  }
}

}  // namespace
}  // namespace cairn::comm
