// Whether mpirun started this process as one of several.
#pragma once

#include <memory>

#include "cairn/explore/ranks.hpp"

namespace cairn::app {

// The ranks; nullptr: a single process. Throws ConfigError for several processes without a usable
// MPI: each would do all the work and write the same files.
std::unique_ptr<explore::Ranks> join_ranks();

}  // namespace cairn::app
