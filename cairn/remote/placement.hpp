// On which memory-node each page of a remote allocation goes.
//
//   LOCAL     n0 n0 n0 n0 n0 n0     one memory-node while it has room
//   BW_AWARE  n0 n1 n0 n1 n0 n1     by turns, in proportion to the bandwidth to each
//
// A full memory-node is passed over, so that an allocation fails only if all together lack room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/platform/backing_store.hpp"

namespace cairn::remote {

using platform::Placement;

struct NodeRoom {
  double share = 0.0;      // of the pages, when spread by bandwidth
  std::uint64_t free = 0;  // pages
};

// The memory-node of each of `pages` pages. For LOCAL, `nodes` begins with the one preferred.
// Precondition: the free pages suffice.
std::vector<std::uint32_t> place_pages(std::uint64_t pages,
                                       Placement placement,
                                       std::vector<NodeRoom> nodes);

}  // namespace cairn::remote
