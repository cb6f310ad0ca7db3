// Ranks that Open MPI's mpirun started.
#pragma once

#include <memory>

#include "cairn/explore/ranks.hpp"

namespace cairn::app {

// nullptr: this program is built without MPI. Once in a process; from the main thread, which is the
// only one that may use it.
std::unique_ptr<explore::Ranks> mpi_ranks();

}  // namespace cairn::app
