// Connectivity check: every device must reach every other.
#pragma once

#include <optional>
#include <utility>

#include "cairn/platform/graph.hpp"

namespace cairn::platform {

// The first device and the first device it cannot reach; nullopt when all are connected.
std::optional<std::pair<Id<Node>, Id<Node>>> find_disconnected(const Graph& graph);

}  // namespace cairn::platform
