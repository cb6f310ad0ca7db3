// A level of the on-chip memory hierarchy: registers, shared memory, caches.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/organization.hpp"

namespace cairn::chip {

// Maximum number of on-chip levels, and of characters in their names.
inline constexpr std::size_t kMaxLevels = 6;
inline constexpr std::size_t kLongestLevelName = 15;

struct Level {
  std::string name{};
  Scope scope = Scope::kGlobal;
  Bytes capacity{};  // per instance of the scope: matrix unit, core or device
  // Bandwidth of the whole device, independent of the clock or per cycle. Neither: the level never
  // bounds a kernel.
  std::optional<BytesPerSecond> bandwidth{};
  std::optional<Bytes> per_cycle{};
  Seconds latency{0.0};
  double utilization = 1.0;  // maximum fraction of the bandwidth that kernels reach
  double keeps = 0.0;        // fraction of the capacity that retains data across kernels

  bool operator==(const Level&) const = default;
};

const Schema<Level>& schema_of(const Level*);

// Throws ConfigError, at the `levels` of `config` or at `config` itself: too many levels, invalid
// or repeated names, two bandwidths for one level, or an order that is not innermost first.
void check_levels(const std::vector<Level>& levels, const Config& config);

}  // namespace cairn::chip
