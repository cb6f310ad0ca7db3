#include "cairn/explore/trial_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using testing::HasSubstr;

class TrialTableTest : public testing::Test {
 protected:
  void SetUp() override {
    create_trial_table(database_);
    TrialWriter writer(database_);
    writer.add(1, {.point = {2.0}, .finding = {.reason = {Lack::kStrategy, "too few", 0.5}}}, "");
    DesignTrial feasible{.point = {1.0 / 3.0, -0.0}};
    feasible.finding.figures.assign(metrics().size(), 1.0);
    feasible.finding.figures.front() = 0.1;
    feasible.finding.bound = {explain::BoundKind::kMemory, "memory (HBM)", "HBM"};
    writer.add(0, feasible, "strategy.batch=8\nendpoint=cores");
  }

  // The message of the ConfigError; empty: none.
  std::string complaint() {
    try {
      read_trials(database_);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  std::string complaint_after(const std::string& change, const std::string& back) {
    database_.run("UPDATE trials SET " + change);
    std::string message = complaint();
    database_.run("UPDATE trials SET " + back);
    EXPECT_EQ(complaint(), "") << back;
    return message;
  }

  Database database_{":memory:", {.file = "", .line = 0, .key = "--store"}};
};

TEST_F(TrialTableTest, ReturnsTrialsInTheOrderProposed) {
  const auto trials = read_trials(database_);

  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].point, (search::Point{1.0 / 3.0, -0.0}));
  EXPECT_EQ(trials[0].finding.figures.front(), 0.1);
  EXPECT_EQ(trials[0].finding.bound,
            (explain::Bound{explain::BoundKind::kMemory, "memory (HBM)", "HBM"}));
  EXPECT_TRUE(trials[1].finding.figures.empty());
  EXPECT_EQ(trials[1].finding.reason.lack, Lack::kStrategy);
  EXPECT_EQ(trials[1].finding.reason.detail, "too few");
  EXPECT_EQ(trials[1].finding.reason.constraint_violation, 0.5);
}

TEST_F(TrialTableTest, NamesItsColumnsByMetric) {
  Statement select(database_,
                   "SELECT step_time_s, settings, bound_by_kind FROM trials WHERE number = 0");

  ASSERT_TRUE(select.next());
  EXPECT_EQ(select.real(0), 0.1);  // the first metric
  EXPECT_EQ(select.text(1), "strategy.batch=8\nendpoint=cores");
  EXPECT_EQ(select.text(2), "memory");
}

// SQLite allows any value in any column.
TEST_F(TrialTableTest, RejectsInvalidValues) {
  EXPECT_THAT(
      complaint_after("step_time_s = -1 WHERE number = 0", "step_time_s = 1 WHERE number = 0"),
      HasSubstr("is damaged: trial 0: step_time_s is -1 (must not be negative)"));
  EXPECT_THAT(complaint_after("energy_J = NULL WHERE number = 0", "energy_J = 1 WHERE number = 0"),
              HasSubstr("trial 0: energy_J is NULL (must be a number)"));
  EXPECT_THAT(complaint_after("memory_B = 'nan' WHERE number = 0", "memory_B = 1 WHERE number = 0"),
              HasSubstr("trial 0: memory_B is \"nan\" (must be a number)"));
  EXPECT_THAT(complaint_after("bound_by_kind = 'luck' WHERE number = 0",
                              "bound_by_kind = 'memory' WHERE number = 0"),
              HasSubstr("trial 0: bound_by_kind is \"luck\""));
  EXPECT_THAT(complaint_after("missed_by = -1 WHERE number = 1", "missed_by = 1 WHERE number = 1"),
              HasSubstr("trial 1: missed_by is -1"));
  EXPECT_THAT(complaint_after("lacks = '' WHERE number = 1", "lacks = 'x' WHERE number = 1"),
              HasSubstr("trial 1: lacks is empty"));
  EXPECT_THAT(complaint_after("point = '1 x' WHERE number = 1", "point = '1' WHERE number = 1"),
              HasSubstr("trial 1: point is \"1 x\""));
}

}  // namespace
}  // namespace cairn::explore
