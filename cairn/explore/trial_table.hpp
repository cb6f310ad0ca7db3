// The table `trials` of a store: one row per trial, with its point, settings, metrics and bound,
// or why it is infeasible.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cairn/explore/sqlite.hpp"
#include "cairn/explore/trial.hpp"

namespace cairn::explore {

void create_trial_table(Database& database);

// Appends rows.
class TrialWriter {
 public:
  explicit TrialWriter(Database& database);

  // `number`: position in the order proposed. `settings`: the point as `key=value`, one per line.
  void add(std::size_t number, const DesignTrial& trial, const std::string& settings);

 private:
  Statement insert_;
};

// All rows, in the order proposed. Values that no search writes are rejected: they could win the
// search. Throws ConfigError with the row's number.
std::vector<DesignTrial> read_trials(Database& database);

// The column `point`: shortest text that reads back to the same numbers.
std::string point_text(const search::Point& point);

}  // namespace cairn::explore
