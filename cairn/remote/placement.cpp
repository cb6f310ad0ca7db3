#include "cairn/remote/placement.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::remote {

namespace {

// The first memory-node that fits the whole allocation; if there is none, nodes are filled one
// after the other.
std::vector<std::uint32_t> place_locally(std::uint64_t pages, const std::vector<NodeRoom>& nodes) {
  const auto whole =
      std::ranges::find_if(nodes, [&](const NodeRoom& node) { return node.free >= pages; });
  if (whole != nodes.end()) {
    return std::vector<std::uint32_t>(pages, static_cast<std::uint32_t>(whole - nodes.begin()));
  }
  std::vector<std::uint32_t> placed;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    placed.insert(placed.end(), std::min(nodes[n].free, pages - placed.size()), n);
  }
  return placed;
}

// Weighted round robin: memory-node n is due its k-th page at k / share_n. Ties go to the node with
// more free pages, so that allocations of odd length balance out.
std::vector<std::uint32_t> place_round_robin(std::uint64_t pages, std::vector<NodeRoom> nodes) {
  std::vector<std::uint32_t> placed;
  placed.reserve(pages);
  std::vector<double> count(nodes.size(), 0.0);
  while (placed.size() < pages) {
    std::uint32_t best = 0;
    double best_due = 0.0;
    bool found = false;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      const double due = (count[n] + 1.0) / nodes[n].share;
      const bool sooner = due < best_due || (due == best_due && nodes[n].free > nodes[best].free);
      if (nodes[n].free > 0 && (!found || sooner)) {
        best = n;
        best_due = due;
        found = true;
      }
    }
    --nodes[best].free;
    count[best] += 1.0;
    placed.push_back(best);
  }
  return placed;
}

}  // namespace

std::vector<std::uint32_t> place_pages(std::uint64_t pages,
                                       PagePlacement placement,
                                       std::vector<NodeRoom> nodes) {
  std::uint64_t room = 0;
  for (const NodeRoom& node : nodes) {
    room += node.free;
  }
  ensure(room >= pages, "more pages placed than free");
  return placement == PagePlacement::kLocal ? place_locally(pages, nodes)
                                            : place_round_robin(pages, std::move(nodes));
}

}  // namespace cairn::remote
