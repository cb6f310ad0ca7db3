// --out of a search: its best designs, written into a folder as best-1.yaml, best-2.yaml, ...
#pragma once

#include <string>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "cairn/explore/explore.hpp"

namespace cairn::app {

// Throws ConfigError if one of the inputs is a best-N.yaml of the folder.
void refuse_to_replace(const std::vector<NamedPath>& inputs, const std::string& folder);

// Writes the designs of the front as self-contained files for `cairn run`. Files of an earlier
// search with more designs are removed; best-N.yaml that no search wrote are kept, with a note on
// standard error. Throws ConfigError.
void write_best_designs(const explore::Request& request,
                        const explore::Exploration& found,
                        const DataFolders& folders,
                        const std::string& folder);

}  // namespace cairn::app
