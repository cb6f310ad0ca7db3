// Turns a plan and the residency of its storages into actions in program order.
#pragma once

#include "cairn/memory/residency.hpp"
#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

// Actions, live ranges, and totals of offloaded and recomputed bytes; no peaks yet.
Schedule make_actions(const plan::Plan& plan,
                      const Liveness& live,
                      const std::vector<Residency>& residency,
                      const Policy& policy,
                      const LaunchPolicy& launch);

}  // namespace cairn::memory
