// A platform's protocols: the simulated time is the closed form of the fastest.
#include "cairn/comm/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "cairn/comm/test_support/closed_form.hpp"
#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Op;

constexpr comm::Way kWay{BytesPerSecond(100e9), Seconds(1e-6)};

// A switch of n devices; a message crosses two links.
std::string with_protocols(std::uint32_t devices) {
  return "{topology: switch, bandwidth: 100 GB/s, latency: 500 ns, devices: " +
         std::to_string(devices) +
         ", protocols: [{name: small, start: 3 us, latency: 1 us, efficiency: 0.2}, "
         "{name: middling, start: 10 us, latency: 2 us, efficiency: 0.8, copy: 150 GB/s}, "
         "{name: large, start: 40 us, latency: 5 us, copy: 500 GB/s}]}";
}

template <class Form>
std::pair<Seconds, std::string> least(const platform::Platform& platform,
                                      const comm::Collective& collective,
                                      Form form) {
  std::pair<Seconds, std::string> best{Seconds::infinity(), ""};
  for (const platform::Protocol& protocol : platform.protocols) {
    const Seconds time =
        comm::start_of(protocol, collective.op, collective.size, platform.device_count()) +
        form(comm::with_protocol(kWay, protocol));
    if (time < best.first) {
      best = {time, protocol.name};
    }
  }
  return best;
}

template <class Form>
void expect_fastest(Op op, const std::string& algorithm, Form form) {
  for (const std::uint32_t n : {2U, 3U, 8U}) {
    const auto platform = platform_of_yaml(with_protocols(n));
    for (const double bytes : {1e3, 1e5, 1e6, 1e7, 1e9}) {
      const comm::Collective collective{.op = op, .size = Bytes(bytes)};
      const auto [expected, protocol] = least(
          platform, collective, [&](const comm::Way& way) { return form(n, Bytes(bytes), way); });
      for (const bool fold : {false, true}) {
        for (const bool steps : {false, true}) {
          const auto result =
              run(platform,
                  collective,
                  {.algorithm = algorithm, .chunks = 1, .fold = fold, .steps = steps});
          EXPECT_LT(relative_error(result.time, expected), 1e-6)
              << comm::info(op).name << " " << n << " " << bytes << " " << result.protocol;
          EXPECT_EQ(result.protocol, protocol);
        }
      }
    }
  }
}

TEST(Protocols, RingsTakeTheClosedFormOfTheFastest) {
  for (const Op op : {Op::kAllReduce, Op::kReduceScatter, Op::kAllGather}) {
    expect_fastest(op, "ring", [&](std::uint32_t n, Bytes size, const comm::Way& way) {
      return comm::ring_time(op, n, size, way, 1);
    });
  }
}

TEST(Protocols, MessagesThatShareALinkShareItsPayloadBandwidth) {
  for (const Op op : {Op::kAllReduce, Op::kAllToAll, Op::kGather}) {
    expect_fastest(op, "direct", [&](std::uint32_t n, Bytes size, const comm::Way& way) {
      return comm::direct_time(op, n, size, way);
    });
  }
}

// A reduce-scatter reads S and writes S/n of a device's buffers, an all-gather the reverse; an
// all-reduce reads and writes S, without the intermediate S/n.
TEST(Protocols, ReduceScatterPlusAllGatherIsAnAllReducePlusOneStart) {
  constexpr double kCopy = 250e9;
  constexpr double kStart = 20e-6;
  for (const std::uint32_t n : {2U, 4U, 8U}) {
    const auto platform = platform_of_yaml(
        "{topology: switch, bandwidth: 100 GB/s, latency: 500 ns, devices: " + std::to_string(n) +
        ", protocols: [{name: only, start: 20 us, latency: 1 us, copy: 250 GB/s}]}");
    const auto time = [&](Op op, double size) {
      return run(platform, {.op = op, .size = Bytes(size)}, {.algorithm = "ring", .chunks = 1})
          .time.si();
    };
    for (const double size : {1e4, 1e7, 1e9}) {
      const double parts = time(Op::kReduceScatter, size) + time(Op::kAllGather, size);
      const double expected = time(Op::kAllReduce, size) + kStart + size / n / kCopy;

      EXPECT_NEAR(parts, expected, 1e-6 * expected) << n << " " << size;
    }
  }
}

// More chunks than are in flight at a time.
TEST(Protocols, StartOnceForAnyNumberOfChunks) {
  const auto time = [](const std::string& start) {
    const auto platform = platform_of_yaml(
        "{topology: switch, bandwidth: 100 GB/s, latency: 500 ns, devices: 6, protocols: [{name: "
        "only, latency: 1 us, start: " +
        start + "}]}");
    return run(platform,
               {.op = Op::kBroadcast, .size = Bytes(1e6)},
               {.algorithm = "ring", .chunks = 200, .window = 16})
        .time;
  };

  EXPECT_NEAR((time("70 us") - time("0 us")).si(), 70e-6, 1e-11);
}

TEST(Protocols, LinkTrafficIsThePayloadForAnyProtocol) {
  const auto platform = platform_of_yaml(with_protocols(4));
  const auto small =
      run(platform, {.op = Op::kAllReduce, .size = Bytes(1e3)}, {.algorithm = "ring"});

  // 2(n-1)/n S per device, over two links.
  EXPECT_EQ(small.protocol, "small");
  EXPECT_NEAR(traffic_of_links(small).si(), 4 * 2 * 1.5 * 1e3, 1e-6);
  EXPECT_LT(small.links.front().utilization, 1.0);
}

TEST(Protocols, WithoutProtocolsLinksHaveFullBandwidth) {
  const auto result = run(platform_of("switch:8@100GB/s,500ns"),
                          {.op = Op::kAllReduce, .size = Bytes(1e6)},
                          {.algorithm = "ring"});

  EXPECT_EQ(result.protocol, "");
  EXPECT_LT(relative_error(result.time, comm::ring_time(Op::kAllReduce, 8, Bytes(1e6), kWay, 1)),
            1e-6);
}

// Kernels take almost no time, so that a step is its one gradient all-reduce.
TEST(Protocols, ApplyToTheCollectivesOfAStep) {
  const auto platform = platform_of_yaml(with_protocols(4));
  std::vector<std::string> used;
  for (const double width : {32.0, 1024.0, 16384.0}) {
    const Step step = run_step(chain_of(1, 8.0, width),
                               {.parallelism = plan::Parallelism::kData},
                               platform,
                               [](const model::Operator&) { return Seconds(1e-12); },
                               {.collectives = by("ring")});
    ASSERT_EQ(step.plan.exchanges.size(), 1U);
    const auto alone =
        run(platform,
            {.op = Op::kAllReduce, .size = kElement * step.plan.exchanges.front().elements},
            {.algorithm = "ring"});

    EXPECT_NEAR(step.time(), alone.time.si(), 1e-6 * alone.time.si());
    EXPECT_EQ(step.machine.collectives.front().protocol, alone.protocol);
    used.push_back(alone.protocol);
  }
  EXPECT_EQ(used, (std::vector<std::string>{"small", "middling", "large"}));
}

class Presets : public testing::TestWithParam<std::string> {};

// The minimum of non-decreasing functions is non-decreasing.
TEST_P(Presets, MoreBytesNeverTakeLessTime) {
  platform::SearchPath presets;
  presets.push_back(std::string(CAIRN_DATA_FOLDER) + "/platforms");
  const auto platform = platform::read_platform(GetParam(), presets, {});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> logarithm(std::log(1e3), std::log(1e9));
  std::vector<double> sizes(60);
  std::ranges::generate(sizes, [&] { return std::exp(logarithm(random)); });
  std::ranges::sort(sizes);
  for (const Op op : {Op::kAllReduce, Op::kAllGather, Op::kAllToAll}) {
    for (const std::uint32_t n : {2U, 5U, 8U}) {
      std::vector<std::uint32_t> group;
      for (std::uint32_t device = 0; device < n; ++device) {
        group.push_back(device);
      }
      Seconds before(0.0);
      std::vector<std::string> used;
      for (const double size : sizes) {
        const auto result = run(platform, {.op = op, .size = Bytes(size), .group = group}, {});
        EXPECT_GE(result.time, before) << comm::info(op).name << " " << n << " " << size;
        EXPECT_GE(result.time, result.lower_bound);
        before = result.time;
        if (used.empty() || used.back() != result.protocol) {
          used.push_back(result.protocol);
        }
      }
      EXPECT_GE(used.size(), 2U) << "the protocol changes with the size";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Calibrated,
                         Presets,
                         testing::Values("dgx-a100", "dgx-h100"),
                         [](const auto& name) {
                           return name.param == "dgx-a100" ? "A100" : "H100";
                         });

}  // namespace
}  // namespace cairn
