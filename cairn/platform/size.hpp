// How much memory a platform needs, known before anything is allocated.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::platform {

// A platform that would need more is refused.
inline constexpr Bytes kMemoryLimit{8.0 * 1024 * 1024 * 1024};

// Of a graph with this many nodes and cables and the rings over it.
Bytes memory_needed(double nodes, double cables);

// Throws ConfigError at `key` of `source`, saying the memory it would need, when a platform of this
// many devices, nodes in all and cables is beyond kMemoryLimit. Counts are doubles so that
// products cannot overflow. `more` is what else grows with them.
void check_size(const Config& source,
                std::string_view key,
                double devices,
                double nodes,
                double cables,
                Bytes more = Bytes(0.0));

// The product as a double: exact up to 2^53, never overflows.
double product(const std::vector<std::uint64_t>& factors);

}  // namespace cairn::platform
