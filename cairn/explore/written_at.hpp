// Relocates errors about set values to their place in the search file.
#pragma once

#include <string>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

// The file named in errors about values that were set (config.hpp).
inline constexpr const char* kSettingFile = "--set";

// The error about the value set under `key`, at its place `where` in the file.
ConfigError written_at(const Where& where, const std::string& key, const ConfigError& error);

}  // namespace cairn::explore
