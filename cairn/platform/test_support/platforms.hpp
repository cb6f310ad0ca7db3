// Helpers for the tests of this directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::platform {

inline SearchPath data_of_source_tree() {
  return {std::filesystem::path(__FILE__).parent_path() / "../../../data/platforms"};
}

inline Platform from_yaml(const std::string& yaml) {
  return read_platform(parse_config(yaml, "test.yaml"), data_of_source_tree());
}

// The message of the ConfigError that `act` throws; empty if it throws none.
template <class Act>
std::string complaint(Act act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace cairn::platform
