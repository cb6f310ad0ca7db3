// Refuses collectives that make no sense on a platform, in words a user understands.
#pragma once

#include <string_view>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/collective.hpp"

namespace cairn::comm {

// Throws ConfigError that names the flag or key: group, root, size, weights.
void check(const platform::Platform& platform, const Collective& collective);

// The algorithm called `name`. Throws ConfigError if there is none, or if it cannot do this; says
// which can.
const Algorithm& require_algorithm(std::string_view name,
                                   const Collective& collective,
                                   const Layout& layout);

}  // namespace cairn::comm
