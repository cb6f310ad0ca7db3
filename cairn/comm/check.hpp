// Refuses collectives that make no sense on a platform, in words a user understands.
#pragma once

#include "cairn/comm/collective.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::comm {

// Throws ConfigError that names the flag or key: group, root, size, weights.
void check(const platform::Platform& platform, const Collective& collective);

}  // namespace cairn::comm
