// Placement of the pages of a remote allocation on memory-nodes.
//
//   LOCAL     n0 n0 n0 n0 n0 n0     one memory-node while it has free pages
//   BW_AWARE  n0 n1 n0 n1 n0 n1     round robin, weighted by the bandwidth to each
//
// Full memory-nodes are skipped: an allocation fails only if their free pages together do not
// suffice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/platform/backing_store.hpp"

namespace cairn::remote {

using platform::PagePlacement;

struct NodeRoom {
  double share = 0.0;      // fraction of the pages for BW_AWARE
  std::uint64_t free = 0;  // pages
};

// The memory-node of each of `pages` pages. For LOCAL, the first of `nodes` is preferred.
// Precondition: the free pages suffice.
std::vector<std::uint32_t> place_pages(std::uint64_t pages,
                                       PagePlacement placement,
                                       std::vector<NodeRoom> nodes);

}  // namespace cairn::remote
