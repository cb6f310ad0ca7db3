// Simulator memory for a platform, estimated before anything is allocated.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/platform/graph.hpp"

namespace cairn::platform {

// Platforms that need more are rejected. Evaluating a collective on one of this size takes some
// 10 s.
inline constexpr Bytes kMemoryLimit{256.0 * 1024 * 1024};

// Doubles, so that products cannot overflow.
struct Size {
  double devices = 0.0;
  double nodes = 0.0;  // devices included
  double cables = 0.0;
};

Size size_of(const Graph& graph);

// Memory for a graph of this size and its rings.
Bytes memory_needed(const Size& size);

// Throws ConfigError at `key` of `source`, with the memory needed, when a platform of this size
// exceeds kMemoryLimit. `more` is additional memory that grows with it.
void check_size(const Config& source,
                std::string_view key,
                const Size& size,
                Bytes more = Bytes(0.0));

// The product as a double: exact up to 2^53, never overflows.
double product(const std::vector<std::uint64_t>& factors);

}  // namespace cairn::platform
