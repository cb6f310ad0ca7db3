// Which phase an endpoint serves first. A device works on chunks in different phases at the same
// time. On a link the oldest chunk goes first; if it did so at the endpoint too, the links of a
// slow dimension would lie idle while older chunks take all of the memory for a fast one. So at the
// endpoint the phases go first whose links take longest, oldest chunk first among equals. That is
// also what sharing equally would give, as long as slow phases need less than an equal share.
#pragma once

#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

// Of tasks from `first_task` on, which are one collective's. Phases that have a link or an
// injection limit in common, directly or through others, stay equal: links see what they did
// before. Only where chunks overlap: otherwise phases follow each other.
void order_phases(CollectiveProgram& program, std::size_t first_task);

}  // namespace cairn::comm
