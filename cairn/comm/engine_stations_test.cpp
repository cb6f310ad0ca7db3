#include "cairn/comm/engine_stations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numeric>

namespace cairn::comm {
namespace {

using chip::EngineSplit;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

// ACE's 4 phases on 4 x 4 x 4 in chunks of 64: 400, 50, 50 and 400 GB/s, chunks of 64, 16, 16, 64.
const std::vector<StationNeed> kFourPhases{
    {64.0, 400.0, 1.0}, {16.0, 50.0, 7.0}, {16.0, 50.0, 7.0}, {64.0, 400.0, 1.0}};

EngineLimits engine(EngineSplit split, double sram, double fsms) {
  return {.sram = Bytes(sram), .fsms = fsms, .split = split};
}

// Weights 32 : 1 : 1 : 32, and 32 for results: 98 in all.
TEST(EngineStations, AreDividedByBandwidthTimesChunkSize) {
  const EngineShares shares =
      divide(engine(EngineSplit::kHeuristic, 9800.0, 20.0), kFourPhases, 64.0);

  EXPECT_THAT(shares.room, Pointwise(DoubleNear(1e-9), {3200.0, 100.0, 100.0, 3200.0, 3200.0}));
  // One each for the slow phases; the rest is divided between the fast ones.
  EXPECT_THAT(shares.machines, ElementsAre(9.0, 1.0, 1.0, 9.0));
}

// 98 : 490 would be 12.8, less than a chunk of 16.
TEST(EngineStations, HoldAtLeastOneChunk) {
  const EngineShares shares =
      divide(engine(EngineSplit::kHeuristic, 992.0, 16.0), kFourPhases, 64.0);

  EXPECT_THAT(shares.room, Pointwise(DoubleNear(1e-9), {320.0, 16.0, 16.0, 320.0, 320.0}));
}

TEST(EngineStations, AreDividedByTime) {
  const EngineShares shares = divide(engine(EngineSplit::kTime, 4160.0, 16.0), kFourPhases, 64.0);

  // 64 x 1 : 16 x 7 : 16 x 7 : 64 x 1 : 64 x 1
  EXPECT_THAT(shares.room, Pointwise(DoubleNear(1e-9), {640.0, 1120.0, 1120.0, 640.0, 640.0}));
  EXPECT_THAT(shares.machines, ElementsAre(1.0, 7.0, 7.0, 1.0));
}

TEST(EngineStations, AreDividedEqually) {
  const EngineShares shares = divide(engine(EngineSplit::kEqual, 500.0, 18.0), kFourPhases, 64.0);

  EXPECT_THAT(shares.room, ElementsAre(100.0, 100.0, 100.0, 100.0, 100.0));
  EXPECT_THAT(shares.machines, ElementsAre(5.0, 5.0, 4.0, 4.0));
}

TEST(EngineStationsProperty, DivideEverythingAndGiveEachPhaseItsMinimum) {
  EXPECT_TRUE(rc::check([] {
    std::vector<StationNeed> phases;
    double least = 0.0;
    const auto count = *rc::gen::inRange(1, 8);
    for (int p = 0; p < count; ++p) {
      phases.push_back({.bytes = 1.0 * *rc::gen::inRange(1, 64),
                        .bandwidth = 1.0 * *rc::gen::inRange(1, 500),
                        .seconds = 1.0 * *rc::gen::inRange(1, 100)});
      least += phases.back().bytes;
    }
    const double results = *rc::gen::inRange(0, 64);
    const double fsms = count + *rc::gen::inRange(0, 30);
    const EngineSplit split = *rc::gen::element(EngineSplit::kHeuristic, EngineSplit::kTime);
    const double sram = (least + results) * *rc::gen::element(1.0, 1.1, 3.0, 100.0);
    const EngineShares shares = divide(engine(split, sram, fsms), phases, results);

    const auto sum = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0);
    };
    RC_ASSERT(std::abs(sum(shares.room) / sram - 1.0) < 1e-9);
    RC_ASSERT(sum(shares.machines) == fsms);
    const EngineShares more = divide(engine(split, sram * 1.3, fsms + 1.0), phases, results);
    for (std::size_t p = 0; p < phases.size(); ++p) {
      RC_ASSERT(shares.room[p] >= phases[p].bytes * (1.0 - 1e-9));
      RC_ASSERT(shares.machines[p] >= 1.0);
      RC_ASSERT(more.machines[p] >= shares.machines[p]);
      RC_ASSERT(more.room[p] >= shares.room[p] * (1.0 - 1e-9));
      RC_ASSERT(shares.machines[p] == std::floor(shares.machines[p]));
    }
  }));
}

TEST(EngineStations, ReportTheMissingEngineResource) {
  const auto check_engines = [](const EngineLimits& limits) {
    EngineStations stations(limits, 1);
    for (std::uint32_t p = 0; p < kFourPhases.size(); ++p) {
      stations.require(p, kFourPhases[p]);
    }
    stations.require_results(64.0);
    const auto reason = stations.check_engines();
    return reason ? reason->limit() + ": " + reason->detail : "nothing";
  };

  EXPECT_EQ(check_engines(engine(EngineSplit::kHeuristic, 224.0, 4.0)), "nothing");
  EXPECT_THAT(check_engines(engine(EngineSplit::kHeuristic, 223.0, 4.0)),
              HasSubstr("fabric.engine.sram"));
  EXPECT_EQ(check_engines(engine(EngineSplit::kEqual, 320.0, 4.0)), "nothing");
  EXPECT_THAT(check_engines(engine(EngineSplit::kEqual, 319.0, 4.0)), HasSubstr("needs 320 B"));
  EXPECT_THAT(check_engines(engine(EngineSplit::kEqual, 1e6, 3.0)),
              HasSubstr("fabric.engine.fsms: 3 "));
}

}  // namespace
}  // namespace cairn::comm
