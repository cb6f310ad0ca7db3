#include "apps/cairn/mpi_ranks.hpp"

#ifdef CAIRN_HAS_MPI
#include "cairn/base/shared_module.hpp"
#endif

namespace cairn::app {

std::unique_ptr<explore::Ranks> mpi_ranks() {
  std::unique_ptr<explore::Ranks> ranks;
#ifdef CAIRN_HAS_MPI
  function_in_module<void(std::unique_ptr<explore::Ranks>&)>("cairn_mpi", "cairn_mpi_ranks")(ranks);
#endif
  return ranks;
}

}  // namespace cairn::app
