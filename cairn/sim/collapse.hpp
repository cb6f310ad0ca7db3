// Steps collapse: k equal steps of b bytes and latency l become one activity of k b bytes with
// speed limit b / (l + b / B), where B is what the lane gets when its collective runs alone. Alone
// it takes as long as the steps, if lanes that share a resource have equal latency (otherwise they
// may miss each other, and the steps are faster); in company others fill its gaps.
#pragma once

#include "cairn/sim/program.hpp"

namespace cairn::sim {

// Collapses every phase of every phase program that has more than one step.
void collapse_steps(Program& program);

}  // namespace cairn::sim
