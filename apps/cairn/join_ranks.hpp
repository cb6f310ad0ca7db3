// Whether mpirun started this process as one of several.
#pragma once

#include <memory>

#include "cairn/explore/ranks.hpp"

namespace cairn::app {

// The others; nullptr: there are none. Throws ConfigError if there are, but this program cannot
// talk to them: each would do all the work, and all would write the same files.
std::unique_ptr<explore::Ranks> join_ranks();

}  // namespace cairn::app
