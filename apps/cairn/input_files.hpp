// Files that a command reads, found before it runs, so that no output overwrites one.
#pragma once

#include <vector>

#include "apps/cairn/arguments.hpp"

namespace cairn::app {

// Existing files that the arguments name, by path or as names of data, and those that these files
// name in turn. NamedPath::flag is the place that names the file: "DESIGN", "d.yaml:4: device".
std::vector<NamedPath> input_files(const std::vector<NamedPath>& arguments);

}  // namespace cairn::app
