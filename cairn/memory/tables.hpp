// Tables that lie in the backing store, of which rows come to the device and go back.
#pragma once

#include <optional>
#include <vector>

#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"

namespace cairn::memory {

// By storage: of tables in the backing store, and of what an optimizer keeps of their rows, what a
// step looks up; nothing of all else.
std::vector<std::optional<Bytes>> rows_in_turn(const plan::Plan& plan, const Policy& policy);

}  // namespace cairn::memory
