// Validates a collective against a platform.
#pragma once

#include "cairn/comm/collective.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::comm {

// Throws ConfigError with the flag or key at fault: group, root, size, weights.
void check(const platform::Platform& platform, const Collective& collective);

}  // namespace cairn::comm
