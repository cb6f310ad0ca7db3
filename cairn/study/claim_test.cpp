#include "cairn/study/claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::study {
namespace {

Claim claim(double published, double ours, std::optional<double> tolerance) {
  return {.published = published, .tolerance = tolerance, .ours = ours};
}

TEST(Claim, HoldsWithinItsTolerance) {
  EXPECT_EQ(claim(2.0, 2.3, 0.15).verdict(), Verdict::kHolds);
  EXPECT_EQ(claim(2.0, 1.7, 0.15).verdict(), Verdict::kHolds);
  EXPECT_EQ(claim(2.0, 2.31, 0.15).verdict(), Verdict::kNotReproduced);
  EXPECT_EQ(claim(2.0, 1.69, 0.15).verdict(), Verdict::kNotReproduced);
  EXPECT_EQ(claim(2.0, 2.001, 0.0).verdict(), Verdict::kNotReproduced);
  EXPECT_EQ(claim(2.0, 2.001, std::nullopt).verdict(), Verdict::kNotReproduced);
}

TEST(Claim, HoldsBetweenItsBounds) {
  Claim between{.published = 14.0, .least = 13.0, .most = 15.0};
  between.ours = 15.0;
  EXPECT_EQ(between.verdict(), Verdict::kHolds);
  between.ours = 15.1;
  EXPECT_EQ(between.verdict(), Verdict::kNotReproduced);
  Claim open{.published = 10.0, .least = 10.0};
  open.ours = 1000.0;
  EXPECT_EQ(open.verdict(), Verdict::kHolds);
}

TEST(Claim, IsAbsentWithoutAResult) {
  const Claim absent{.published = 2.0, .tolerance = 1.0};
  EXPECT_EQ(absent.verdict(), Verdict::kAbsent);
  EXPECT_EQ(absent.ratio(), std::nullopt);
}

TEST(Claims, NameEndingInADotMatchesAsAPrefix) {
  EXPECT_TRUE(stands_for("time.", "time.7"));
  EXPECT_TRUE(stands_for("time", "time"));
  EXPECT_FALSE(stands_for("time", "time.7"));
  EXPECT_FALSE(stands_for("time.7", "time."));
}

TEST(Claims, RejectsUnknownQuantitiesWithTheirLine) {
  const Config config = parse_config(
      "- {id: 1, what: a, quantity: speed, published: 1}\n"
      "- {id: 2, what: b, quantity: sped, published: 1}\n",
      "study.yaml");
  try {
    read_claims(config, {"speed"});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("study.yaml:2: [1].quantity: \"sped\" is not a "
                                   "quantity of this study (did you mean \"speed\"?)"));
  }
}

std::string complaint(const std::string& text) {
  try {
    read_claims(parse_config(text, "study.yaml"), {"speed"});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Claims, RejectsDuplicateIdsAndEmptyRanges) {
  const std::string claim = "- {id: 1, what: a, quantity: speed, published: 1";

  EXPECT_EQ(complaint(claim + ", least: 2, most: 2}\n"), "");
  EXPECT_THAT(complaint("3\n"), testing::HasSubstr("study.yaml:1: \"3\" is not a list of claims"));
  EXPECT_THAT(complaint("{id: 1}\n"), testing::HasSubstr("study.yaml:1: a map is not a list"));
  EXPECT_EQ(complaint(claim + "}\n" + claim + "}\n"),
            "study.yaml:2: [1].id: \"1\" is the id of another claim");
  EXPECT_EQ(complaint(claim + ", least: 2, most: 1}\n"),
            "study.yaml:1: [0].most: \"1\" is less than least, 2");
}

}  // namespace
}  // namespace cairn::study
