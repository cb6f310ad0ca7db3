// Assumptions of a study's file, where a paper leaves a choice open: for each its value, other
// choices, and the reason.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/study/claim.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

// Applies assignments of --set to a study's file. Throws ConfigError for an assumption that the
// file does not have, unless it is given with a reason.
void set_values_of_study(Config& study, const std::vector<std::string>& settings);

// {key: value} of all assumptions; values keep their place in the file. Throws ConfigError, also
// for a value without a reason.
Config values_of(const Config& assumptions);

// Moves the entries with these keys out of `values`. Absent keys are ignored.
Config take(Config& values, const std::vector<std::string>& keys);

// The same for the keys of `Own`, the assumptions of one study beside those it shares with others.
template <HasSchema Own>
Own take(Config& values) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : ConfigReader<Own>::schema().parameters()) {
    keys.push_back(parameter.key);
  }
  return read_config<Own>(take(values, keys));
}

}  // namespace cairn::study
