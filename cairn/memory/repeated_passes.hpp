// Micro-batches as a loop: from the schedule of three micro-batches to that of all.
#pragma once

#include <optional>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

// Whether one micro-batch may stand for several: kernels and exchanges run one after the other, the
// host takes no time, and nothing is offloaded.
std::optional<plan::NotRepeated> check_repeats(const Policy& policy, const LaunchPolicy& launch);

// Repeats the passes of the second micro-batch for all micro-batches between the first and the
// last. Each repetition is one action, ActionKind::kPass: kernels run one after the other, a pass
// starts when the previous pass of its stage has ended and its inputs have arrived, and nothing
// that it starts outlasts it but transfers to other stages, which start at its end. So its actions
// have the same times relative to its start, whichever micro-batch it processes.
//
// NotRepeated if that does not hold. `planned`: the schedule of the plan's three micro-batches.
// Preconditions: plan.repeats(), check_repeats().
plan::OrNotRepeated<Schedule> repeat_passes(const plan::Plan& plan, const Schedule& planned);

}  // namespace cairn::memory
