// A training framework that ran published measurements: its host overhead.
#pragma once

#include <string>

#include "cairn/base/named_file.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::validate {

struct Framework {
  std::string name{};
  std::string description{};
  std::string source{};
  Seconds issue{0.0};  // host time per kernel launch (memory::LaunchPolicy)
};

const Schema<Framework>& schema_of(const Framework*);

// From `folders` (data/frameworks). Throws ConfigError.
Framework read_framework(const std::string& name, const Folders& folders);

}  // namespace cairn::validate
