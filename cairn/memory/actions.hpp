// From a plan and the fates of its memory to actions in program order.
#pragma once

#include "cairn/memory/fates.hpp"
#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

// Actions and lives; totals of what is moved and remade.
Schedule make_actions(const plan::Plan& plan,
                      const Liveness& live,
                      const std::vector<Fate>& fates,
                      const Policy& policy,
                      const Dispatch& dispatch);

}  // namespace cairn::memory
