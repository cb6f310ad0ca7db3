// Complaints about values that were set, brought to where they are written.
#pragma once

#include <string>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

// Which file complaints name for values that are set (config.hpp).
inline constexpr const char* kSettingFile = "--set";

// The complaint about what was set under `key`, which is written at `where`.
ConfigError written_at(const Where& where, const std::string& key, const ConfigError& error);

}  // namespace cairn::explore
