// The result of a step with many micro-batches from those of two with few, in steady state.
#pragma once

#include <optional>

#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

// The result after `periods` further periods, if one of them adds to `fewer` what `more` has beyond
// it (lower/steady_state.hpp). Absent: another device decides its breakdown or its peak memory
// then, or it has work in the background.
std::optional<StepResult> after_periods(const StepResult& fewer,
                                        const StepResult& more,
                                        double periods);

}  // namespace cairn::explain
