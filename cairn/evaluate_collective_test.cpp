#include "cairn/evaluate_collective.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn {
namespace {

using comm::Collective;
using comm::Op;
using explain::CollectiveResult;
using testing::HasSubstr;

CollectiveResult run(const std::string& platform,
                     const Collective& collective,
                     const CollectiveOptions& options = {}) {
  return evaluate_collective(platform::read_platform(platform, {}), collective, options).value();
}

CollectiveOptions by(const char* algorithm) {
  return {.algorithm = algorithm, .chunks = {}};
}

Collective all_reduce(double bytes, std::vector<std::uint32_t> group = {}) {
  return {.op = Op::kAllReduce,
          .size = Bytes(bytes),
          .group = std::move(group),
          .root = 0,
          .weights = {}};
}

TEST(EvaluateCollective, BusBandwidthOfALongRingIsThatOfItsLinks) {
  const auto result = run("ring:16@25GB/s,500ns", all_reduce(10e9), by("ring"));

  // 2(n-1)/n S / t, and t = 2(n-1)(l + S/(nB)): B / (1 + l n B / S).
  EXPECT_NEAR(result.bus_bandwidth.si(), 25e9 / (1.0 + 0.5e-6 * 16 * 25e9 / 10e9), 1.0);
  EXPECT_DOUBLE_EQ(result.algorithm_bandwidth.si(), 10e9 / result.time.si());
  EXPECT_THAT(result.bound.text, HasSubstr("link bandwidth"));
  EXPECT_EQ(result.devices, 16U);
}

TEST(EvaluateCollective, SmallPayloadsAreBoundByLatency) {
  EXPECT_EQ(run("ring:16@25GB/s,500ns", all_reduce(1000.0)).bound.text, "latency");
}

TEST(EvaluateCollective, OneDeviceOrNoPayloadTakesNoTime) {
  for (const auto& result : {run("ring:8@25GB/s,500ns", all_reduce(1e6, {5})),
                             run("ring:1@25GB/s,500ns", all_reduce(1e6)),
                             run("ring:8@25GB/s,500ns", all_reduce(0.0))}) {
    EXPECT_EQ(result.time, Seconds(0.0));
    EXPECT_EQ(result.bound.text, "nothing");
  }
}

TEST(EvaluateCollective, WorksForAnyGroupInAnyOrder) {
  // Neighbours on a ring of 16 whose group skips every other device: routes of two hops.
  const auto every_other =
      run("ring:16@25GB/s,500ns", all_reduce(8e6, {0, 2, 4, 6, 8, 10, 12, 14}), by("ring"));
  const auto shuffled = run("switch:8@25GB/s,500ns", all_reduce(5e6, {7, 0, 3, 5, 1}), by("ring"));

  EXPECT_NEAR(every_other.time.si(), 14 * (2 * 0.5e-6 + 1e6 / 25e9), 1e-10);
  EXPECT_NEAR(shuffled.time.si(), 8 * (2 * 0.5e-6 + 1e6 / 25e9), 1e-10);
  EXPECT_EQ(shuffled.devices, 5U);
}

TEST(EvaluateCollective, ASubGridIsProcessedDimensionByDimension) {
  // Columns 0 and 1 of a 4x4 torus: width 2 over one cable each way, and the whole second
  // dimension. Half the payload goes each way round: 1 step of S/4, 6 of S/16, 1 of S/4; in the
  // dimension of two both ways lead to the same neighbour, by the same link.
  const auto result = run("torus:4x4@25GB/s",
                          all_reduce(16e6, {0, 1, 4, 5, 8, 9, 12, 13}),
                          {.algorithm = "hierarchical", .chunks = 1});

  EXPECT_NEAR(result.time.si(), (2 * 2 * 4e6 + 6 * 1e6) / 25e9, 1e-9);
}

TEST(EvaluateCollective, PayloadNeedNotDivideByDevices) {
  const auto result = run("ring:7@25GB/s", all_reduce(1000003.0), by("ring"));

  EXPECT_NEAR(result.time.si(), 12 * 1000003.0 / 7 / 25e9, 2e-11);
}

TEST(EvaluateCollective, ABroadcastMayStartAnywhere) {
  Collective broadcast = all_reduce(1e6);
  broadcast.op = Op::kBroadcast;
  const Seconds from_0 = run("ring:9@25GB/s,500ns", broadcast, by("ring")).time;
  broadcast.root = 7;
  const Seconds from_7 = run("ring:9@25GB/s,500ns", broadcast, by("ring")).time;

  EXPECT_EQ(from_0, from_7);
}

TEST(EvaluateCollective, AllToAllWeightsDistributeThePayload) {
  Collective collective = all_reduce(8e6);
  collective.op = Op::kAllToAll;
  collective.weights = {1.0, 6.0, 0.0, 1.0};

  const auto result = run("fully_connected:4@25GB/s,500ns", collective, by("direct"));

  EXPECT_NEAR(result.time.si(), 0.5e-6 + 6e6 / 25e9, 1e-11);  // 6/8 of it to the next device
  EXPECT_NEAR(result.sent_per_device.si(), 7e6, 1e-6);
}

// Estimates of pipelined algorithms are some percent off.
TEST(EvaluateCollective, AutoIsNearTheFastestAlgorithmAndNamesTheCandidates) {
  const Collective collective = all_reduce(1e6);
  const auto chosen = run("torus:4x4@25GB/s,500ns", collective);

  for (const char* algorithm : {"ring", "rings", "hierarchical", "direct", "halving_doubling"}) {
    EXPECT_LE(chosen.time, run("torus:4x4@25GB/s,500ns", collective, by(algorithm)).time * 1.05)
        << algorithm;
    EXPECT_THAT(chosen.chosen_because, HasSubstr(algorithm));
  }
}

TEST(EvaluateCollective, FoldingSimulatesOneDeviceForAll) {
  const auto folded = run("ring:64@25GB/s,500ns", all_reduce(1e6), by("ring"));
  const auto unfolded = run(
      "ring:64@25GB/s,500ns", all_reduce(1e6), {.algorithm = "ring", .chunks = {}, .fold = false});

  EXPECT_EQ(folded.simulated_ranks, 1U);
  EXPECT_EQ(unfolded.simulated_ranks, 64U);
  EXPECT_LT(folded.events, unfolded.events / 32);
}

TEST(EvaluateCollective, RecordedSpansCoverTheWholeTime) {
  const auto result =
      run("ring:4@25GB/s,500ns",
          all_reduce(1e6),
          {.algorithm = "ring", .chunks = {}, .fold = false, .steps = true, .record_spans = true});

  ASSERT_EQ(result.spans.size(), 4U * 6U);  // devices x steps
  EXPECT_EQ(result.spans.front().begin, Seconds(0.0));
  EXPECT_EQ(result.spans.back().end, result.time);
  EXPECT_EQ(result.spans.front().track, "device 0");
  EXPECT_TRUE(run("ring:4@25GB/s", all_reduce(1e6)).spans.empty());
}

// On a ring each device forwards the chunk it has just received: every message but the
// first of each chunk waits for one of the step before.
TEST(EvaluateCollective, MessagesWaitForThePreviousStep) {
  const auto result =
      run("ring:4@25GB/s,500ns",
          all_reduce(1e6),
          {.algorithm = "ring", .chunks = {}, .fold = false, .steps = true, .record_spans = true});

  EXPECT_EQ(result.flows.size(), 4U * 5U);
  for (const explain::CollectiveFlow& flow : result.flows) {
    EXPECT_EQ(result.spans[flow.from].end, result.spans[flow.to].submitted);
    EXPECT_EQ(result.spans[flow.from].chunk, result.spans[flow.to].chunk);
  }
}

// The traffic of single messages on a link adds up to its total, folded or not, with and without
// collapsed steps, protocols and engines.
TEST(EvaluateCollective, MessagesAddUpToLinkTraffic) {
  const char* kPlatforms[] = {"ring:8@25GB/s,500ns",
                              "torus:4x4@25GB/s,500ns",
                              "switch:8@25GB/s,500ns",
                              "mesh:3x3@25GB/s,1us"};
  for (const char* platform : kPlatforms) {
    for (const bool fold : {false, true}) {
      for (const bool steps : {false, true}) {
        SCOPED_TRACE(fmt::format("{}, fold {}, steps {}", platform, fold, steps));
        const auto result = run(platform,
                                all_reduce(8e6),
                                {.algorithm = "auto",
                                 .chunks = {},
                                 .fold = fold,
                                 .steps = steps,
                                 .record_spans = true});
        std::map<std::string, double> drawn;
        for (const explain::CollectiveSpan& span : result.spans) {
          ASSERT_EQ(span.links.size(), span.drawn.size());
          for (std::size_t i = 0; i < span.links.size(); ++i) {
            drawn[result.recorded_links[span.links[i]]] += span.drawn[i].si();
          }
        }
        std::map<std::string, double> traffic;
        for (const explain::LinkLoad& load : result.links) {
          if (load.kind == explain::ResourceKind::kLink) {
            traffic[load.name] += load.traffic.si();
          }
        }
        for (const auto& [name, bytes] : traffic) {
          EXPECT_NEAR(drawn[name], bytes, 1e-9 * bytes) << name;
        }
      }
    }
  }
}

TEST(EvaluateCollective, TooManyMessagesAreInfeasible) {
  const auto mesh = platform::read_platform("mesh:50000@25GB/s", {});
  Collective collective = all_reduce(1e6);
  collective.op = Op::kAllToAll;

  const auto result = evaluate_collective(mesh, collective, by("direct"));

  ASSERT_FALSE(result);
  EXPECT_EQ(result.reason().limit(), "memory");
}

TEST(EvaluateCollective, InvalidOptionsAreConfigErrorsThatNameTheKey) {
  const auto complaint = [](const Collective& collective, const char* algorithm) {
    return platform::complaint([&] { run("ring:8@25GB/s", collective, by(algorithm)); });
  };

  EXPECT_THAT(complaint(all_reduce(1e6, {9}), "auto"), HasSubstr("group"));
  EXPECT_THAT(complaint(all_reduce(-1.0), "auto"), HasSubstr("size"));
  EXPECT_THAT(complaint(all_reduce(1.0), "rign"), HasSubstr("\"rign\" is not an algorithm"));
}

}  // namespace
}  // namespace cairn
