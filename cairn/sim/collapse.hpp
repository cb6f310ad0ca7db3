// Steps collapse: k equal steps of b bytes and latency l become one activity of k b bytes with
// speed limit b / (l + b / B), where B is what the lane is certain to get when its collective runs
// alone (see certain_pace.hpp). In company others fill its gaps.
#pragma once

#include "cairn/sim/certain_pace.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::sim {

enum class Collapse : std::uint8_t {
  kWhereExact,  // collectives that, alone, take as long as their steps (see critical_steps.hpp)
  kEverywhere,  // all: a phase that holds something holds it from its first step to its last
};

// Collapses the phases that have more than one step. A collective, the phase programs of one issuer
// that start together, is collapsed as a whole or, but for parts that meet none of the others, not
// at all. Lockstep is not visible in a program: whoever knows the ranks to be alike must say so, so
// that all of them collapse just where one that stands for them does.
void collapse_steps(Program& program,
                    Collapse which = Collapse::kWhereExact,
                    Progress progress = Progress::kEachForItself);

}  // namespace cairn::sim
