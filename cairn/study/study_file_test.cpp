#include "cairn/study/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cairn::study {
namespace {

using testing::HasSubstr;

struct Common {
  double a = 0.0;
};

const Schema<Common>& schema_of(const Common*) {
  static const auto kSchema = Schema<Common>("assumptions").optional("a", &Common::a, "a");
  return kSchema;
}

struct Own {
  double b = 0.0;
};

const Schema<Own>& schema_of(const Own*) {
  static const auto kSchema = Schema<Own>("assumptions").optional("b", &Own::b, "b");
  return kSchema;
}

struct File : StudyKeys {
  std::vector<Config> variations{};
};

const Schema<File>& schema_of(const File*) {
  static const auto kSchema =
      study_schema<File>("a sum").optional("variations", &File::variations, "changed together");
  return kSchema;
}

// Its only claim: a + b.
PreparedStudy prepare_sum(const Config& config, const Tick& tick) {
  const auto file = read_config<File>(config);
  return {.assumptions = file.assumptions,
          .run =
              [=](const Config& values) {
                tick();
                Config rest = values;
                const auto own = take<Own>(rest);
                const auto common = read_config<Common>(rest);
                StudyResult result;
                result.claims.push_back({.ours = common.a + own.b});
                return result;
              },
          .variations = file.variations};
}

Config the_file() {
  return parse_config(
      "{assumptions: {a: {value: 1, choices: [5, 7], why: x}, b: {value: 10, why: y}},"
      " variations: [{a: 2, b: 3}], claims: []}",
      "study.yaml");
}

TEST(StudyFile, RunsUnderTheValuesOfItsAssumptions) {
  int runs = 0;

  const StudyResult result = run(prepare_sum(the_file(), [&] { ++runs; }));

  EXPECT_EQ(result.claims.front().ours, 1.0 + 10.0);
  EXPECT_EQ(runs, 1);
}

TEST(StudyFile, ComparesClaimsUnderVariationsIfTheStudyAlwaysVaries) {
  PreparedStudy study = prepare_sum(the_file(), [] {});
  study.always_varies = true;

  const StudyResult result = run(study);

  ASSERT_EQ(result.claims.front().variations.size(), 1U);
  EXPECT_EQ(result.claims.front().variations.front().with, "a: 2, b: 3");
  EXPECT_EQ(result.claims.front().variations.front().ours, 2.0 + 3.0);
}

TEST(StudyFile, RangesOverChoicesAndVariations) {
  int runs = 0;

  const auto ranges = claim_ranges(prepare_sum(the_file(), [&] { ++runs; }));

  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges.front().least, 2.0 + 3.0);
  EXPECT_EQ(ranges.front().least_by, "a: 2, b: 3");
  EXPECT_EQ(ranges.front().most, 7.0 + 10.0);
  EXPECT_EQ(ranges.front().most_by, "a: 7");
  EXPECT_EQ(runs, 1 + 2 + 1);
}

TEST(StudyFile, RejectsSettingsOfUnknownAssumptions) {
  for (const char* setting : {"assumptions.bb=3", "assumptions.bb.value=3"}) {
    Config file = the_file();
    try {
      set_values_of_study(file, {setting});
      FAIL() << setting;
    } catch (const ConfigError& error) {
      EXPECT_STREQ(error.what(), "--set: assumptions.bb: no such assumption (did you mean \"b\"?)");
    }
  }
}

TEST(StudyFile, TakesAddedAssumptionsThatHaveAReason) {
  Config file = parse_config("{assumptions: {b: {value: 10, why: y}}, claims: []}", "study.yaml");

  set_values_of_study(file,
                      {"assumptions.b.value=3", "assumptions.a.value=2", "assumptions.a.why=test"});

  EXPECT_EQ(run(prepare_sum(file, [] {})).claims.front().ours, 2.0 + 3.0);
}

TEST(StudyFile, RejectsEmptyLists) {
  try {
    check_filled(parse_config("{full: [1], empty: []}", "study.yaml"), {"full", "other", "empty"});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("empty: a list has no items"));
  }
}

}  // namespace
}  // namespace cairn::study
