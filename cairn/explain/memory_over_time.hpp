// Memory in use on a device during a step.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/explain/exposure.hpp"
#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

// Memory is allocated when the first action of a live range begins, and freed when its last action
// ends. `intervals`: by action, on a device of the stage.
std::vector<MemoryPoint> memory_over_time(const lower::LoweredStep& step,
                                          const std::vector<Interval>& intervals,
                                          std::uint32_t stage,
                                          SimTime end);

}  // namespace cairn::explain
