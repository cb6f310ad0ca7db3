// Where data that came with the program lies, and platforms as the command line names them.
#pragma once

#include <string>
#include <vector>

#include "cairn/platform/parse.hpp"

namespace cairn::app {

// Folders of platform presets: of $CAIRN_DATA if that is set, then of the program's own data.
// Throws ConfigError when CAIRN_DATA names no folder.
platform::SearchPath preset_path();

// The platform called `text` with values changed by --set.
platform::Platform read_platform(const std::string& text,
                                 const std::vector<std::string>& settings,
                                 const std::string& flag);

}  // namespace cairn::app
