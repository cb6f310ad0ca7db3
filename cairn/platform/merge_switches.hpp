// Switches that multi-path routing always loads equally, merged into one.
//
// A leaf of a fat tree splits every message evenly over its spines, so that all cables between the
// two levels carry the same. Switches are merged if they connect to the same devices in the same
// way, or to switches that are merged themselves: the coarsest equitable partition of the graph in
// which every device is a class of its own. At equal distance from a destination, all switches of a
// class forward equal shares over equal cables, so that one of them represents all.
#pragma once

#include <optional>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

struct MergedPlatform {
  // Devices keep their ranks, classes their counts. Node::members and Link::members are the
  // numbers of merged switches and links; a route has the share of each link.
  Platform platform{};
  std::vector<Id<Link>> link_of{};  // by link of the original: its link in `platform`
};

// Nothing if no switches can be merged, or if something depends on single links: routing that is
// not multi-path, rings, memory-nodes and host sockets.
std::optional<MergedPlatform> merge_switches(const Platform& platform);

}  // namespace cairn::platform
