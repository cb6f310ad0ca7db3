// The collectives of a training step: which are the same, and how each is executed.
#pragma once

#include <vector>

#include "cairn/lower/machine.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::lower {

// The key of an exchange; exchanges among all devices of a stage have the same axes, kWholeStage.
CollectiveKey key_of(const plan::Exchange& exchange, const plan::Plan& plan);

// The distinct collectives of the plan.
std::vector<CollectiveKey> collectives_of(const plan::Plan& plan);

// The tasks of one collective; all of them start together and the collective ends with the last.
std::vector<sim::PhaseProgram> collective_parts(const Machine& machine, const CollectiveKey& key);

}  // namespace cairn::lower
