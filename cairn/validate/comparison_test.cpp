#include "cairn/validate/comparison.hpp"

#include <gtest/gtest.h>

namespace cairn::validate {
namespace {

ComparedRow predicted(double measured, double ours, const char* group = "") {
  return {.group = group, .measured = Seconds(measured), .predicted = Seconds(ours)};
}

TEST(Errors, AreRelativeToTheMeasuredTime) {
  const std::vector<ComparedRow> cases{
      predicted(1.0, 1.1), predicted(2.0, 1.0), predicted(4.0, 4.0)};
  const Errors errors = errors_of(cases);
  EXPECT_EQ(errors.cases, 3U);
  EXPECT_NEAR(errors.mean, 0.2, 1e-12);
  EXPECT_NEAR(errors.median, 0.1, 1e-12);
  EXPECT_NEAR(errors.p90, 0.1 + 0.8 * 0.4, 1e-12);  // linear between 0.1 and 0.5
  EXPECT_NEAR(errors.most, 0.5, 1e-12);
  EXPECT_NEAR(errors.bias, -0.4 / 3.0, 1e-12);
}

TEST(Errors, ProportionalTimesHaveCorrelationOne) {
  EXPECT_NEAR(errors_of(std::vector{predicted(1, 3), predicted(2, 6), predicted(5, 15)})
                  .correlation.value_or(0.0),
              1.0,
              1e-12);
  EXPECT_NEAR(errors_of(std::vector{predicted(1, 3), predicted(2, 2)}).correlation.value_or(0.0),
              -1.0,
              1e-12);
  EXPECT_FALSE(errors_of(std::vector{predicted(1, 3)}).correlation);
  EXPECT_FALSE(errors_of(std::vector{predicted(1, 3), predicted(1, 4)}).correlation);
  EXPECT_EQ(errors_of({}).cases, 0U);
}

TEST(Errors, GroupsKeepTheOrderOfTheFile) {
  const std::vector<ComparedRow> cases{
      predicted(1, 2, "b"), predicted(1, 1, "a"), predicted(1, 1, "b")};
  const auto groups = errors_by_group(cases);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].group, "b");
  EXPECT_EQ(groups[0].errors.cases, 2U);
  EXPECT_NEAR(groups[0].errors.mean, 0.5, 1e-12);
  EXPECT_EQ(groups[1].errors.mean, 0.0);
}

TEST(Errors, DecadesAreThoseOfTheMeasuredTime) {
  const std::vector<ComparedRow> cases{predicted(0.5, 0.5),
                                       predicted(2e-4, 3e-4),
                                       predicted(1e-5, 2e-5),
                                       predicted(9e-6, 9e-5),
                                       predicted(1e-6, 1e-6)};
  const auto decades = errors_by_decade(cases);
  ASSERT_EQ(decades.size(), 4U);
  EXPECT_EQ(decades[0].group, "below 10 us");
  EXPECT_EQ(decades[0].errors.cases, 2U);
  EXPECT_NEAR(decades[0].errors.mean, 4.5, 1e-9);
  EXPECT_EQ(decades[1].group, "10 to 100 us");
  EXPECT_EQ(decades[2].group, "100 us to 1 ms");
  EXPECT_NEAR(decades[2].errors.mean, 0.5, 1e-9);
  EXPECT_EQ(decades[3].group, "100 ms and more");
}

TEST(Errors, WorstCasesComeFirst) {
  const std::vector<ComparedRow> cases{predicted(1, 1.1), predicted(1, 0.2), predicted(1, 1.5)};
  const auto worst = worst_of(cases, 2);
  ASSERT_EQ(worst.size(), 2U);
  EXPECT_EQ(worst[0].predicted, Seconds(0.2));
  EXPECT_EQ(worst[1].predicted, Seconds(1.5));
}

}  // namespace
}  // namespace cairn::validate
