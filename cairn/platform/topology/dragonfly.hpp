// Groups of routers, all-to-all within a group, and groups all-to-all over global cables. J. Kim et
// al., "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// Global port k of a group (k / global_links is its router) leads to the group 1 + k modulo
// (groups - 1) further on ("palm tree"), so every two groups are connected by
// floor(routers * global_links / (groups - 1)) cables; leftover ports stay unused. Routes are
// minimal: at most one local cable, one global cable, one local cable. Dims are {devices, routers,
// groups}.
struct Dragonfly {
  std::uint64_t groups = 0;
  std::uint64_t routers = 0;       // per group
  std::uint64_t devices = 0;       // per router
  std::uint64_t global_links = 0;  // per router
  std::vector<BytesPerSecond> bandwidth;
  std::vector<Seconds> latency{Seconds(0.0)};
};

const Schema<Dragonfly>& schema_of(const Dragonfly*);
Size size_of(const Dragonfly& parameters);
Platform make_dragonfly(const Dragonfly& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
