// Ranks that Open MPI's mpirun started.
#pragma once

#include <memory>

#include "cairn/explore/ranks.hpp"

namespace cairn::app {

// nullptr: built without MPI. Call once per process, from the main thread; only that thread may use
// the result.
std::unique_ptr<explore::Ranks> mpi_ranks();

}  // namespace cairn::app
