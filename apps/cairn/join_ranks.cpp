#include "apps/cairn/join_ranks.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "apps/cairn/mpi_ranks.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::app {

namespace {

// No other thread runs yet, and nothing sets it.
const char* environment(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
}

bool above_one(const char* text) {
  return text != nullptr && std::atol(text) > 1;  // NOLINT(cert-err34-c): 0 where it is no number
}

}  // namespace

std::unique_ptr<explore::Ranks> join_ranks() {
  // Open MPI's mpirun, and other launchers that speak its protocol.
  const char* const count = environment("OMPI_COMM_WORLD_SIZE");
  if (above_one(count) || (count == nullptr && environment("PMIX_RANK") != nullptr)) {
    if (auto ranks = mpi_ranks()) {
      return ranks->size() > 1 ? std::move(ranks) : nullptr;
    }
    throw ConfigError(
        {},
        fmt::format("mpirun started {} processes, but this cairn is built without MPI (expected "
                    "one process, or a build with Open MPI)",
                    count == nullptr ? "several" : count));
  }
  if (count == nullptr && above_one(environment("PMI_SIZE"))) {
    throw ConfigError({},
                      fmt::format("{} processes were started by another MPI (expected Open MPI)",
                                  environment("PMI_SIZE")));
  }
  return nullptr;
}

}  // namespace cairn::app
