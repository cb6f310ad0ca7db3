// The priority of phases at an endpoint. A device works on chunks in different phases at the same
// time. On a link the oldest chunk goes first. If it did so at the endpoint too, the links of a
// slow dimension would be idle while older chunks take all memory bandwidth for a fast one. So at
// the endpoint, phases with the slowest links go first, and the oldest chunk among equals. Fair
// sharing gives the same as long as slow phases need less than an equal share.
#pragma once

#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

// Sets the priorities of one collective, the tasks from `first_task` on. Phases that share a link
// or an injection limit, directly or through others, stay equal, so the order on links is
// unchanged. No effect unless chunks overlap: otherwise phases follow each other.
void order_phases(CollectiveProgram& program, std::size_t first_task);

}  // namespace cairn::comm
