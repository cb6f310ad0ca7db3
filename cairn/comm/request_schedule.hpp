// A request with its algorithm as a schedule: of the first group, or of all groups at once.
#pragma once

#include <vector>

#include "cairn/comm/program_builder.hpp"
#include "cairn/comm/request.hpp"

namespace cairn::comm {

// Arguments of ProgramBuilder::add.
struct Realized {
  GroupLayout layout{};  // of all participants
  CollectiveSchedule schedule{};
  std::vector<Buffers> buffers{};  // empty for one group of all positions
  Chunking chunking{};
};

// Without protocols and chunks. Precondition: the algorithm supports the request.
// `fold`: one position represents all (folds_by_statement).
Realized realize_first_group(const Request& request, const AlgorithmChoice& choice, bool fold);
Realized realize_all_groups(const Request& request, const AlgorithmChoice& choice);

}  // namespace cairn::comm
