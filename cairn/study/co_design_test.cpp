#include "cairn/study/co_design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/study/co_design_space.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

// Two choices of the first two parts, one of the others.
Choices two_by_two(std::optional<double> neither,
                   std::optional<double> second,
                   std::optional<double> first,
                   std::optional<double> both) {
  return {.names = {{{"a", "A"}, {"b", "B"}, {"c"}, {"d"}}},
          .times = {neither, second, first, both}};
}

TEST(CoDesignSpace, PlacesAndChoicesAreOneToOne) {
  const Choices choices{.names = {{{"1", "2"}, {"1", "2", "3"}, {"1", "2"}, {"1", "2", "3", "4"}}},
                        .times = std::vector<std::optional<double>>(48, 1.0)};
  for (std::size_t place = 0; place < choices.times.size(); ++place) {
    EXPECT_EQ(choices.place(choices.at(place)), place);
  }
}

// A and B share a budget: each alone helps, both cost too much. The first choice decides.
TEST(CoDesignSpace, OneAfterTheOtherMayMissTheBest) {
  const Choices choices = two_by_two(10.0, 6.0, 8.0, std::nullopt);

  EXPECT_EQ(fastest(choices, {}), (Choice{0, 1, 0, 0}));
  EXPECT_EQ(one_after_the_other(choices, {1, 0, 2, 3}), (Choice{0, 1, 0, 0}));
  EXPECT_EQ(one_after_the_other(choices, {0, 1, 2, 3}), (Choice{1, 0, 0, 0}));
}

// A and B help only together: no order finds that.
TEST(CoDesignSpace, OneAfterTheOtherMissesWhatHelpsOnlyTogether) {
  const Choices choices = two_by_two(10.0, 11.0, 12.0, 5.0);

  EXPECT_EQ(fastest(choices, {}), (Choice{1, 1, 0, 0}));
  EXPECT_EQ(one_after_the_other(choices, {0, 1, 2, 3}), Choice{});
  EXPECT_EQ(one_after_the_other(choices, {1, 0, 2, 3}), Choice{});
  EXPECT_EQ(fastest(choices, {true, false, false, false}), Choice{});
}

StudyResult co_design(const Settings& settings) {
  return run_shipped("co-design", settings);
}

// AlexNet, two choices of each.
Settings small(const Settings& more = {}) {
  Settings settings{"assumptions.model.value=alexnet",
                    "assumptions.batch.value=1024",
                    "nodes=[12 nm, 7 nm]",
                    "memories=[hbm2-4gib]",
                    "endpoints=[{name: cores, chip: v100, endpoint: cores}]",
                    "strategies=[d8, one_weird_trick-8]"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(CoDesign, JointChoiceIsNeverSlower) {
  const StudyResult result = co_design(small());
  const auto finding = [&](const char* name) { return result.findings.at(name); };
  for (const char* part : kPartNames) {
    EXPECT_GE(finding("gain.together"), result.findings.at(std::string("gain.") + part)) << part;
    EXPECT_GE(result.findings.at(std::string("without.") + part), 1.0) << part;
  }
  EXPECT_TRUE(has_unique_names(result));
  // All 4! orders end with the best if and only if the worst order does; the front is only the
  // fastest design if and only if no slower one is cheaper.
  EXPECT_EQ(finding("orders_that_reach") == 24.0, finding("worst_order") <= 1.0 + 1e-9);
  EXPECT_EQ(finding("front") == 1.0, finding("price_of_cheapest") == 1.0);
  EXPECT_LE(finding("price_of_cheapest"), 1.0);
  EXPECT_LE(finding("front"), finding("possible"));
  EXPECT_EQ(finding("designs"), 2.0 * 2.0 * 2.0);
}

// DIMMs that cost more than the budget are not chosen.
TEST(CoDesign, DesignsOverBudgetAreCountedAndNotChosen) {
  const StudyResult result =
      co_design(small({"stores=[{name: host, platform: dc-dla}, {name: "
                       "DIMMs, platform: mc-dla-ring, price: 48000 USD}]"}));

  EXPECT_EQ(result.findings.at("too_dear"), 2.0 * 2.0);
  EXPECT_EQ(result.findings.at("gain.store"), 1.0);
}

// In the bundled study each of the four parts matters.
TEST(CoDesign, EveryPartGainsByItself) {
  const StudyResult result = co_design(
      {"nodes=[12 nm, 5 nm]", "memories=[hbm2-4gib, hbm3]", "strategies=[d8, model-8-d1]"});
  for (const char* part : kPartNames) {
    EXPECT_GT(result.findings.at(std::string("gain.") + part), 1.02) << part;
  }
}

TEST(CoDesign, LargerBudgetIsNeverSlower) {
  const double less = co_design(small()).findings.at("gain.together");
  const double more =
      co_design(small({"assumptions.price.value=100000 USD"})).findings.at("gain.together");
  EXPECT_GE(more, less);
}

TEST(CoDesign, RejectsInvalidSettings) {
  const auto refused = [](const char* setting, const char* why) {
    EXPECT_THAT(complaint(co_design, small({setting})), HasSubstr(why)) << setting;
  };
  refused("nodes=[]", "nodes: a list has no items");
  refused("assumptions.price.value=1 USD", "costs more than 1 USD");
  refused("assumptions.power.value=500 W", "takes all of the 500 W");
  refused("strategies=[d7]", "is infeasible");
}

}  // namespace
}  // namespace cairn::study
