#include "cairn/study/deepflow.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>

namespace cairn::study {
namespace {

using testing::HasSubstr;

std::filesystem::path data_folder() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "data";
}

DataFolders folders() {
  return DataFolders::in({data_folder()});
}

Config file_of(const char* study, const std::vector<std::string>& settings = {}) {
  Config file = load_config(data_folder() / "studies" / (std::string(study) + ".yaml"));
  for (const std::string& setting : settings) {
    set_value(file, setting);
  }
  return file;
}

StudyResult technology(const std::vector<std::string>& settings = {}) {
  return run_deepflow_technology(file_of("deepflow-technology", settings), folders(), {});
}

const StudyResult& the_technology() {
  static const StudyResult kResult = technology();
  return kResult;
}

const StudyResult& the_strategies() {
  static const StudyResult kResult =
      run_deepflow_strategies(file_of("deepflow-strategies"), folders(), {});
  return kResult;
}

StudyResult intensity(const std::vector<std::string>& settings = {}) {
  return run_deepflow_intensity(file_of("deepflow-intensity", settings), folders(), {});
}

const StudyResult& the_intensity() {
  static const StudyResult kResult = intensity();
  return kResult;
}

std::string complaint(const std::string& setting,
                      StudyResult (*run)(const std::vector<std::string>&) = technology) {
  try {
    run({setting});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

double time_of(const StudyResult& result,
               const char* network,
               const char* memory,
               const char* node) {
  return result.findings.at(fmt::format("time.{}.{}.{}", network, memory, node));
}

// Every kernel at 7 nm waits for HBM2. A step reads the weights of the softmax and of two cells
// forward and for dX, and reads and writes their gradients, once for each of 20 words; the update
// reads gradient and weight and writes the weight. At the end the table's gradient is summed over
// devices with nothing beside it.
TEST(DeepFlowTechnology, AStepThatWaitsForMemoryTakesTheTimeOfItsBytes) {
  const double hidden = 16384.0;
  const double table = 819200.0 * hidden * 2.0;
  const double cell = 2.0 * hidden * 4.0 * hidden * 2.0;
  const double per_word = 4.0 * (table + 2.0 * cell);
  const double update = 3.0 * (2.0 * table + 2.0 * cell);
  const double last_sum = 2.0 * table / 100e9;
  const double expected = (20.0 * per_word + update) / 1e12 + last_sum;

  // Feature maps, launches and what the sums take of memory's time come on top; some of the last
  // sum runs beside the updates.
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

double ratio_of(const StudyResult& result, const std::string& id) {
  const auto claim = std::ranges::find(result.claims, id, &Claim::id);
  return claim->ratio().value();
}

// What the study's file says moves the times that are not reproduced does move them.
TEST(DeepFlowTechnology, TimesAreThoseOfTheMendedCodeWhereItsAssumptionsAreTaken) {
  const StudyResult unshared = technology({"assumptions.gradient_sync.value=unshared"});
  for (const char* id : {"R9", "R10", "R11", "R12", "R16", "R17", "R18", "R19", "R21"}) {
    EXPECT_NEAR(ratio_of(unshared, id), 1.0, 0.15) << id;
  }
  const StudyResult write_only = technology({"assumptions.accumulation.value=write_only"});
  for (const char* id : {"R8", "R13", "R20"}) {
    EXPECT_NEAR(ratio_of(write_only, id), 1.0, 0.15) << id;
  }
  const StudyResult both = technology(
      {"assumptions.gradient_sync.value=unshared", "assumptions.accumulation.value=write_only"});
  for (const char* id : {"R14", "R15"}) {
    EXPECT_NEAR(ratio_of(both, id), 1.0, 0.15) << id;
  }
}

// 30 G parameters in two bytes and their gradients, on every device.
TEST(DeepFlowTechnology, SaysWhatIsMissingWithCapacityAsALimit) {
  const StudyResult& result = the_technology();
  const Table& limited = result.tables[1];

  ASSERT_EQ(limited.rows.size(), 12U);
  EXPECT_THAT(limited.rows[0][1], HasSubstr(" GB"));
  EXPECT_EQ(limited.rows[3][1], result.tables[0].rows[3][1]);  // 192 GiB are enough
}

TEST(DeepFlowTechnology, RefusesWhatItCannotUse) {
  EXPECT_THAT(complaint("assumptions.chip.value=v1000"), HasSubstr("v1000"));
  EXPECT_THAT(complaint("nodes[1]=6 nm"), HasSubstr("6 nm"));
  EXPECT_THAT(complaint("nodes=[12 nm, 7 nm]"), HasSubstr("no node of 3 nm"));
  EXPECT_THAT(complaint("memories[0].bandwidth=0 B/s"), HasSubstr("memories[0].bandwidth"));
  EXPECT_THAT(complaint("assumptions.settings.value=[core.power=0.9]"), HasSubstr("power"));
  EXPECT_THAT(complaint("assumptions.batch.value=100"), HasSubstr("100 samples for 512 shards"));
}

// One by data, one CR for each way to cut 64 in two, RC for each in three.
TEST(DeepFlowStrategies, TriesEveryWayToCut) {
  const StudyResult& result = the_strategies();
  EXPECT_EQ(result.findings.at("tried.64"), 1 + 6 + (2 + 3 + 4 + 5 + 6 + 7));
  EXPECT_EQ(result.findings.at("tried.512"), 1 + 9 + (2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10));
}

TEST(DeepFlowStrategies, ColumnRowIsBestWithMemoryAsALimitAndWithout) {
  const StudyResult& result = the_strategies();
  for (const char* name : {"64", "512"}) {
    const auto finding = [&](const char* what) {
      return result.findings.at(fmt::format("{}.{}", what, name));
    };
    EXPECT_EQ(finding("best_is_cr"), 1.0);
    EXPECT_EQ(finding("data_fits"), 0.0);
    EXPECT_GT(finding("best_that_fits"), finding("best"));
    EXPECT_LT(finding("best_that_fits"), finding("data"));
    EXPECT_GT(finding("gain"), 1.6);
  }
}

// With a rows and b columns of the result, sums of c terms, and every byte moved once, an intensity
// is 2 abc / (2 B (ac + bc + ab)). No tiling has more; at 65,536 devices shards are so narrow that
// the best tiling of each strategy has as much.
TEST(DeepFlowIntensity, TheBestTilingOfAShardMovesEveryByteOnce) {
  constexpr double kSide = 65536.0;
  const report::Chart& chart = the_intensity().charts[1];

  ASSERT_EQ(chart.categories.size(), 18U);  // RC by each power of two up to 2^16, and CR
  const auto expected = [](double a, double b, double c) {
    return a * b * c / (a * c + b * c + a * b);
  };
  for (std::size_t i = 0; i < 17; ++i) {
    const double k1 = std::exp2(i);
    EXPECT_EQ(chart.categories[i], fmt::format("RC-{}-{}", k1, kSide / k1));
    const double most = expected(kSide / k1, k1, kSide);
    EXPECT_NEAR(chart.series[0].boxes[i].most, most, 1e-9 * most) << chart.categories[i];
  }
  EXPECT_EQ(chart.categories[17], "CR-65536");
  EXPECT_NEAR(chart.series[0].boxes[17].most, expected(kSide, kSide, 1.0), 1e-9);
}

// A shard is never larger than the whole product, so that none of its tilings is more intense.
TEST(DeepFlowIntensity, IsNeverMoreOnMoreDevices) {
  const std::vector<report::Box>& boxes = the_intensity().charts[0].series[0].boxes;

  ASSERT_EQ(boxes.size(), 9U);
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    EXPECT_LE(boxes[i].most, boxes[i - 1].most * (1.0 + 1e-9));
    EXPECT_LT(boxes[i].median, boxes[i - 1].median);
  }
}

TEST(DeepFlowIntensity, HoldsWhatSection2Says) {
  for (const Claim& claim : the_intensity().claims) {
    EXPECT_EQ(claim.ours, 1.0) << claim.what << ": " << claim.moved_by;
  }
}

// One device, the same number twice: neither wider nor larger, and strategies do not differ.
TEST(DeepFlowIntensity, DoesNotFindWhatIsNotThere) {
  const Findings findings = intensity({"devices=[1, 1]"}).findings;

  for (const char* what :
       {"wider_on_few", "wider_ratio_on_few", "smaller_on_many", "strategies_differ"}) {
    EXPECT_EQ(findings.at(what), 0.0) << what;
  }
}

TEST(DeepFlowIntensity, RefusesWhatItCannotUse) {
  EXPECT_THAT(complaint("devices=[]", intensity), HasSubstr("no devices"));
  EXPECT_THAT(complaint("devices=[0]", intensity), HasSubstr("devices[0]"));
  EXPECT_THAT(complaint("m=0.5", intensity), HasSubstr("m: "));
  EXPECT_THAT(complaint("node=6 nm", intensity), HasSubstr("6 nm"));
}

TEST(DeepFlowIntensity, SaysWhereNoStrategyGivesEveryDeviceWork) {
  EXPECT_THROW(intensity({"m=1", "n=2", "k=3", "devices=[8]"}), ConfigError);
}

}  // namespace
}  // namespace cairn::study
