// The flags of every verb. Hides the command line library.
#pragma once

#include "apps/cairn/request.hpp"

namespace cairn::app {

// Throws ConfigError for flags that are unknown, incomplete or missing.
Request parse_command_line(int argc, const char* const* argv);

}  // namespace cairn::app
