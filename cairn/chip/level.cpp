#include "cairn/chip/level.hpp"

#include <fmt/format.h>

#include <set>

#include "cairn/base/failure.hpp"

namespace cairn::chip {

const Schema<Level>& schema_of(const Level*) {
  static const auto kSchema =
      Schema<Level>("level", "an on-chip memory")
          .required("name", &Level::name, "name in results", "l2")
          .required("scope", &Level::scope, "per matrix unit, core, or device", "global")
          .required("capacity", &Level::capacity, "capacity per unit, core or device", "40 MB")
          .positive()
          .optional("bandwidth", &Level::bandwidth, "of the whole device, independent of the clock")
          .positive()
          .optional("per_cycle",
                    &Level::per_cycle,
                    "instead of bandwidth: bytes of the whole device per cycle")
          .positive()
          .optional("latency", &Level::latency, "time to the first byte")
          .not_negative()
          .optional("utilization",
                    &Level::utilization,
                    "maximum fraction of the bandwidth that kernels reach")
          .positive()
          .at_most(1)
          .used_if([](const Level& level) { return level.bandwidth || level.per_cycle; },
                   "a bandwidth, or per_cycle")
          .optional("keeps", &Level::keeps, "fraction that retains data across kernels")
          .not_negative()
          .at_most(1)
          .used_if([](const Level& level) { return level.scope == Scope::kGlobal; },
                   "scope: global");
  return kSchema;
}

void check_levels(const std::vector<Level>& levels, const Config& config) {
  const Config* written = config.find("levels");
  const Config& list = written == nullptr ? config : *written;
  if (levels.size() > kMaxLevels) {
    reject(list, fmt::format("has {} levels (expected at most {})", levels.size(), kMaxLevels));
  }
  std::set<std::string> names{"memory"};
  Scope inner = Scope::kMcu;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    const Config& place = list.kind == Config::Kind::kList ? list.items[i] : list;
    if (!names.insert(level.name).second) {
      reject(place,
             fmt::format("has the name {}, which is in use (expected a unique name)",
                         in_quotes(level.name)));
    }
    if (level.name.empty() || level.name.size() > kLongestLevelName) {
      reject(place,
             fmt::format("has the name {} (expected 1 to {} characters)",
                         in_quotes(level.name),
                         kLongestLevelName));
    }
    if (level.bandwidth && level.per_cycle) {
      reject(place, "has both bandwidth and per_cycle (expected one of them)");
    }
    if (level.scope < inner) {
      reject(
          place,
          fmt::format("has scope {} after a level of scope {} (expected the innermost level first)",
                      enum_name(level.scope),
                      enum_name(inner)));
    }
    inner = level.scope;
  }
}

}  // namespace cairn::chip
