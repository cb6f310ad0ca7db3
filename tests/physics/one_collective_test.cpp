// One way to realize a collective: `cairn collective` and a training step choose the same algorithm
// and take the same time when nothing else runs, and `auto` is about as fast as any algorithm.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/comm/realize.hpp"
#include "tests/physics/step_support.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

// Small platforms of many kinds.
platform::Platform any_network() {
  const auto bandwidth = *rc::gen::element<std::string>("1GB/s", "25GB/s", "300GB/s");
  const auto latency = *rc::gen::element<std::string>("0ns", "100ns", "5us");
  const auto simple = *rc::gen::element<std::string>(
      "ring:6", "torus:4x3", "torus:2x2x3", "switch:8", "fully_connected:5");
  const std::string text = fmt::format("{}@{},{}", simple, bandwidth, latency);
  if (*rc::gen::arbitrary<bool>()) {
    return platform_of(text);
  }
  const auto island = *rc::gen::element<std::string>("switch:4", "ring:3", "switch:2");
  const auto protocols = *rc::gen::element<std::string>(
      "",
      ", protocols: [{name: LL, start: 3 us, latency: 1 us, efficiency: 0.3}, {name: Simple, "
      "start: 20 us, latency: 2 us}]");
  return platform_of_yaml(fmt::format(
      "{{topology: islands, island: \"{}@300GB/s,200ns\", between: \"switch:{}@{},{}\"{}}}",
      island,
      *rc::gen::element(2, 3, 4),
      bandwidth,
      latency,
      protocols));
}

// The gradient of one layer of width w, all-reduced over all devices; kernels take no time.
RC_GTEST_PROP(OneCollective, AStepTakesWhatTheCollectiveAloneTakes, ()) {
  const platform::Platform platform = any_network();
  const double width = *rc::gen::element(8.0, 100.0, 1000.0, 6000.0);
  const auto algorithm = *rc::gen::element<std::string>("auto", "auto", "ring", "direct");
  const comm::CollectivePolicy policy{.algorithm = comm::parse_algorithm(algorithm, {})};

  const Step step = run_step(chain_of(1, platform.device_count(), width),
                             {.parallelism = plan::Parallelism::kData},
                             platform,
                             [](const model::Operator&) { return Seconds(0.0); },
                             {.collectives = policy, .fold = *rc::gen::arbitrary<bool>()});
  RC_ASSERT(step.plan.exchanges.size() == 1U);
  // Placement may put neighbours of the ring elsewhere: the same devices, in the same order.
  const auto alone = run(platform,
                         {.op = comm::Op::kAllReduce,
                          .size = kElement * step.plan.exchanges.front().elements,
                          .group = step.placement},
                         {.algorithm = algorithm, .fold = *rc::gen::arbitrary<bool>()});

  RC_ASSERT(step.machine.collectives.front().algorithm == alone.algorithm);
  RC_ASSERT(step.machine.collectives.front().protocol == alone.protocol);
  RC_ASSERT(std::abs(step.time() - alone.time.si()) <=
            1e-12 * static_cast<double>(alone.events + step.timeline.events));
}

// Estimates are exact where ranks are in lockstep and in one chunk; for pipelines and messages that
// contend they are some percent off. (docs/comm.md lists larger errors.)
TEST(OneCollective, AutoIsAboutAsFastAsAnyNamedAlgorithm) {
  for (const char* shape : {"ring:6", "torus:4x3", "switch:8", "fully_connected:5"}) {
    for (const char* latency : {"0ns", "500ns", "5us"}) {
      const auto platform = platform_of(fmt::format("{}@25GB/s,{}", shape, latency));
      for (const comm::Op op : {comm::Op::kAllReduce, comm::Op::kAllGather, comm::Op::kBroadcast}) {
        for (const double size : {1e3, 1e5, 1e7, 1e9}) {
          const comm::Collective collective{.op = op, .size = Bytes(size)};
          const auto chosen = run(platform, collective, {});
          for (const comm::Algorithm* algorithm : comm::algorithms()) {
            if (algorithm->supports(op, comm::make_group_layout(platform, {}))) {
              const auto named =
                  run(platform, collective, {.algorithm = std::string(algorithm->name)});
              EXPECT_LE(chosen.time.si(), 1.12 * named.time.si())
                  << comm::info(op).name << " of " << size << " on " << platform.name << ": "
                  << chosen.algorithm << ", " << named.algorithm;
            }
          }
        }
      }
    }
  }
}

// On two islands of four, dimension by dimension: reduce-scatter inside, all-reduce between, and
// all-gather inside, each phase with the protocol of its tier, started once.
TEST(Protocols, ApplyPhaseByPhase) {
  const auto platform = platform_of_yaml(
      "{topology: islands, island: {topology: switch, devices: 4, bandwidth: 100 GB/s, latency: "
      "500 "
      "ns, protocols: [{name: inner, start: 5 us, latency: 1 us, efficiency: 0.8}]}, between: "
      "\"switch:2@10GB/s,1us\", protocols: [{name: outer, start: 20 us, latency: 3 us, efficiency: "
      "0.5}]}");
  const double size = 8e6;

  const auto result = run(platform,
                          {.op = comm::Op::kAllReduce, .size = Bytes(size)},
                          {.algorithm = "hierarchical", .chunks = 1});

  // Both directions share a device's link: 3 steps of S/4, then 2 steps of S/4/2, then 3 of S/4.
  const double inner = 3.0 * (2e-6 + size / 4.0 / 80e9);
  const double outer = 2.0 * (5e-6 + size / 8.0 / 5e9);
  EXPECT_EQ(result.protocol, "inner + outer");
  EXPECT_NEAR(result.time.si(), 20e-6 + 2.0 * inner + outer, 1e-6 * result.time.si());
}

TEST(Hierarchical, FindsAGridInAnyOrderOfItsMembers) {
  const auto torus = platform_of("torus:4x4@25GB/s,500ns");
  const comm::Collective snake{.op = comm::Op::kAllReduce,
                               .size = Bytes(1e6),
                               .group = {0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12}};

  const auto ordered =
      run(torus, {.op = comm::Op::kAllReduce, .size = Bytes(1e6)}, {.algorithm = "hierarchical"});
  const auto snaking = run(torus, snake, {.algorithm = "hierarchical"});

  EXPECT_EQ(snaking.time.si(), ordered.time.si());
}

TEST(Algorithm, ThatCannotBeUsedIsInfeasibleWithTheReason) {
  const auto torus = platform_of("torus:4x4@25GB/s,500ns");
  const auto reason = [&](const comm::Collective& collective, const std::string& algorithm) {
    const auto result = evaluate_collective(torus, collective, {.algorithm = algorithm});
    return result ? std::string() : result.reason().detail;
  };

  EXPECT_EQ(
      reason({.op = comm::Op::kAllReduce, .size = Bytes(1e6), .group = {0, 1, 4}}, "hierarchical"),
      "hierarchical cannot do all_reduce among 3 of the 16 devices of torus:4x4@25GB/s,500ns: it "
      "needs a group that forms a grid along the platform's dimensions (use ring, direct, "
      "halving_doubling, double_binary_tree)");
  EXPECT_EQ(reason({.op = comm::Op::kAllToAll, .size = Bytes(1e6)}, "ring"),
            "ring cannot do all_to_all among 16 of the 16 devices of torus:4x4@25GB/s,500ns: it "
            "does not implement this operation (use direct)");
  EXPECT_EQ(reason({.op = comm::Op::kAllReduce, .size = Bytes(1e6)}, "hierarchical:ring"),
            "hierarchical:ring gives 1 algorithm for the 2 dimensions of torus:4x4@25GB/s,500ns "
            "(give one for each)");
}

// Along each dimension of a switched platform, direct takes one latency where a ring takes n - 1.
TEST(Hierarchical, AcceptsAnAlgorithmPerDimension) {
  const auto platform = platform_of_yaml(
      "{topology: islands, island: \"switch:8@100GB/s,1us\", between: "
      "\"switch:4@100GB/s,1us\"}");
  const comm::Collective collective{.op = comm::Op::kAllReduce, .size = Bytes(1e4)};
  const double size = 1e4;

  const auto result =
      run(platform, collective, {.algorithm = "hierarchical:direct,direct", .chunks = 1});

  const double inside = 2e-6 + 7.0 / 8.0 * size / 100e9;
  const double between = 2e-6 + 3.0 / 4.0 * size / 8.0 / 100e9;
  EXPECT_NEAR(result.time.si(), 2.0 * inside + 2.0 * between, 1e-6 * result.time.si());
}

}  // namespace
}  // namespace cairn
