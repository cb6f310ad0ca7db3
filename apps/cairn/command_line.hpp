// Parses the command line. Hides the command line library.
#pragma once

#include <optional>
#include <string>

#include "apps/cairn/verb.hpp"

namespace cairn::app {

struct Command {
  std::optional<std::string> text{};  // --help or --version: the text to print
  Invocation asked{};
  std::string line{};  // as typed
};

// Throws ConfigError for flags that are unknown, incomplete or missing.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace cairn::app
