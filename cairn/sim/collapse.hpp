// Collapsing steps: k equal steps of b bytes and latency l become one activity of k b bytes with
// speed limit b / (l + b / B), where B is the lane's guaranteed rate when its collective runs alone
// (see guaranteed_rate.hpp). Under contention others fill its gaps.
#pragma once

#include "cairn/sim/guaranteed_rate.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::sim {

enum class Collapse : std::uint8_t {
  kWhereExact,  // collectives that, alone, take as long as step by step (see critical_steps.hpp)
  kEverywhere,  // all; a phase with holds keeps them from its first step to its last
};

// Collapses the phases that have more than one step. A collective, the phase programs of one issuer
// that start together, is collapsed as a whole or not at all, except that parts without a common
// resource are decided separately. Lockstep is not visible in a program: a caller that knows the
// ranks to be symmetric must pass it, so that the unfolded program collapses exactly where the
// folded one does.
void collapse_steps(Program& program,
                    Collapse which = Collapse::kWhereExact,
                    Progress progress = Progress::kIndependent);

}  // namespace cairn::sim
