#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/study/deepflow.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

StudyResult technology(const Settings& settings = {}) {
  return run_shipped("deepflow-technology", settings);
}

const StudyResult& the_technology() {
  static const StudyResult kResult = technology();
  return kResult;
}

double time_of(const StudyResult& result,
               const char* network,
               const char* memory,
               const char* node) {
  return result.findings.at(fmt::format("time.{}.{}.{}", network, memory, node));
}

// Every kernel at 7 nm is bound by HBM2. A step reads the weights of the softmax and of two cells
// forward and for dX, and reads and writes their gradients, once for each of 20 tokens; the update
// reads gradient and weight and writes the weight. The all-reduce of the table's gradient comes
// last, without overlap.
TEST(DeepFlowTechnology, MemoryBoundStepTakesTheTimeOfItsTraffic) {
  const double hidden = 16384.0;
  const double table = 819200.0 * hidden * 2.0;
  const double cell = 2.0 * hidden * 4.0 * hidden * 2.0;
  const double per_token = 4.0 * (table + 2.0 * cell);
  const double update = 3.0 * (2.0 * table + 2.0 * cell);
  const double last_sum = 2.0 * table / 100e9;
  const double expected = (20.0 * per_token + update) / 1e12 + last_sum;

  // Activations, launches and the memory traffic of all-reduces are not counted; part of the last
  // all-reduce overlaps with the updates.
  EXPECT_NEAR(time_of(the_technology(), "ndr", "hbm2", "n7"), expected, 0.05 * expected);
}

TEST(DeepFlowTechnology, BetterTechnologyIsNeverSlower) {
  constexpr std::array kNodes{"n12", "n7", "n5", "n3", "n2", "n1.4", "n1"};
  constexpr std::array kMemories{"hbm2", "hbm2e", "hbm3", "hbm4"};
  constexpr std::array kNetworks{"ndr", "xdr", "gdr"};
  const StudyResult& result = the_technology();
  const double a_little = 1.0 + 1e-9;
  for (std::size_t n = 0; n < kNetworks.size(); ++n) {
    for (std::size_t m = 0; m < kMemories.size(); ++m) {
      for (std::size_t k = 0; k < kNodes.size(); ++k) {
        const double here = time_of(result, kNetworks[n], kMemories[m], kNodes[k]) * a_little;
        if (n + 1 < kNetworks.size()) {
          EXPECT_LE(time_of(result, kNetworks[n + 1], kMemories[m], kNodes[k]), here);
        }
        if (m + 1 < kMemories.size()) {
          EXPECT_LE(time_of(result, kNetworks[n], kMemories[m + 1], kNodes[k]), here);
        }
        if (k + 1 < kNodes.size()) {
          EXPECT_LE(time_of(result, kNetworks[n], kMemories[m], kNodes[k + 1]), here);
        }
      }
    }
  }
}

// The `moved_by` of the study's file are right.
TEST(DeepFlowTechnology, ReproducesTheFixedCodeWithItsAssumptions) {
  const auto verdict = [](const char* id, const char* with) {
    return under_variation(the_technology(), id, with).verdict;
  };
  const char* const both = "gradient_sync: contention_free, accumulation: write_only";
  for (const char* id : {"R9", "R10", "R11", "R12", "R16", "R17", "R18", "R19", "R21"}) {
    EXPECT_EQ(verdict(id, "gradient_sync: contention_free"), Verdict::kHolds) << id;
  }
  for (const char* id : {"R8", "R13", "R20"}) {
    EXPECT_EQ(verdict(id, "accumulation: write_only"), Verdict::kHolds) << id;
  }
  for (const char* id : {"R14", "R15"}) {
    EXPECT_EQ(verdict(id, both), Verdict::kHolds) << id;
    EXPECT_EQ(verdict(id, "gradient_sync: contention_free"), Verdict::kNotReproduced) << id;
    EXPECT_EQ(verdict(id, "accumulation: write_only"), Verdict::kNotReproduced) << id;
  }
}

// Nor with any other assumption that the file has choices for.
TEST(DeepFlowTechnology, NoSingleAssumptionReproducesTwoOfTheTimes) {
  for (const char* setting : {"launch.value=0 us",
                              "steps_at_once.value=0",
                              "network_latency.value=0 us",
                              "contention.value=false",
                              "recurrent_sync.value=every_step"}) {
    const StudyResult result = technology({"variations=[]", std::string("assumptions.") + setting});
    for (const char* id : {"R14", "R15"}) {
      EXPECT_EQ(claim_of(result, id).verdict(), Verdict::kNotReproduced) << id << setting;
    }
  }
}

// 30 G parameters in two bytes and their gradients, on every device.
TEST(DeepFlowTechnology, ReportsTheMissingCapacity) {
  const StudyResult& result = the_technology();
  const Table& limited = result.tables[1];

  ASSERT_EQ(limited.rows.size(), 12U);
  EXPECT_THAT(limited.rows[0][1].text, HasSubstr(" GB"));
  EXPECT_EQ(limited.rows[3][1].number, result.tables[0].rows[3][1].number);  // 128 GiB are enough
}

TEST(DeepFlowTechnology, RejectsInvalidSettings) {
  EXPECT_THAT(complaint(technology, {"assumptions.chip.value=v1000"}), HasSubstr("v1000"));
  EXPECT_THAT(complaint(technology, {"nodes[1]=6 nm"}), HasSubstr("6 nm"));
  EXPECT_THAT(complaint(technology, {"memories[0].bandwidth=0 B/s"}),
              HasSubstr("memories[0].bandwidth"));
  EXPECT_THAT(complaint(technology, {"assumptions.settings.value=[core.power=0.9]"}),
              HasSubstr("power"));
  EXPECT_THAT(complaint(technology, {"assumptions.batch.value=100"}),
              HasSubstr("100 samples do not divide over 512 replicas"));
  for (const char* list : {"nodes", "memories", "networks"}) {
    EXPECT_THAT(complaint(technology, {std::string(list) + "=[]"}),
                HasSubstr(std::string(list) + ": a list has"));
  }
  EXPECT_THAT(complaint(technology, {"memories[0].technology=hbm9"}),
              HasSubstr("memories[0].technology"));
  EXPECT_THAT(complaint(technology, {"assumptions.precision.value=fp32"}),
              HasSubstr("assumptions.precision.value: v100 does not compute in fp32"));
  EXPECT_THAT(complaint(technology, {"assumptions.steps.value=100000"}),
              HasSubstr("assumptions.steps.value"));
  EXPECT_THAT(complaint(technology, {"assumptions.layers.value=1000000"}),
              HasSubstr("assumptions.layers.value"));
  EXPECT_THAT(
      complaint(technology, {"assumptions.layers.value=100", "assumptions.steps.value=1000"}),
      HasSubstr("tensors"));
}

// Claims about technologies that are not listed are absent.
TEST(DeepFlowTechnology, RunsWithTheListedTechnologies) {
  const StudyResult result = technology({"nodes=[3 nm]", "variations=[]"});

  EXPECT_EQ(time_of(result, "ndr", "hbm4", "n3"), time_of(the_technology(), "ndr", "hbm4", "n3"));
  EXPECT_EQ(claim_of(result, "R16").ours, claim_of(the_technology(), "R16").ours);
  for (const char* id : {"1a", "2b", "3c", "R1"}) {
    EXPECT_EQ(claim_of(result, id).verdict(), Verdict::kAbsent) << id;
    EXPECT_THAT(claim_of(result, id).reason, HasSubstr("listed")) << id;
  }
}

// Links and stacks come from the library: 800 Gb/s, 4 times 8 GiB.
TEST(DeepFlowTechnology, DefaultsToTheLibrarysTechnologies) {
  const auto time = [](const std::string& setting) {
    return time_of(technology({"variations=[]", "claims=[]", setting}), "ndr", "hbm2", "n3");
  };
  EXPECT_EQ(time("networks[0].bandwidth=100 GB/s"), time("devices=512"));
  EXPECT_NE(time("networks[0].bandwidth=97 GB/s"), time("devices=512"));
  EXPECT_EQ(time("memories[0]={name: hbm2, technology: hbm2}"),
            time("memories[0].bandwidth=1.024 TB/s"));
}

TEST(DeepFlowTechnology, FiguresMarkPublishedNumbers) {
  const report::Chart& ndr = the_technology().charts.at(0);
  const auto hbm4 = std::ranges::find(ndr.series, "hbm4", &report::Series::name);
  ASSERT_NE(hbm4, ndr.series.end());
  EXPECT_EQ(hbm4->published.front(), 2.83);
  EXPECT_EQ(hbm4->published.back(), 1.45);
}

}  // namespace
}  // namespace cairn::study
