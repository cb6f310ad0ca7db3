#include "cairn/platform/connected.hpp"

#include <vector>

namespace cairn::platform {

std::optional<std::pair<Id<Node>, Id<Node>>> find_disconnected(const Graph& graph) {
  if (graph.devices().empty()) {
    return std::nullopt;
  }
  const Id<Node> start = graph.devices().front();
  std::vector<bool> reached(graph.nodes().size(), false);
  reached[start.index()] = true;
  std::vector<Id<Node>> pending{start};
  while (!pending.empty()) {
    const Id<Node> here = pending.back();
    pending.pop_back();
    for (const Id<Link> link : graph.links_out(here)) {
      const Id<Node> next = graph.link(link).to;
      if (!reached[next.index()]) {
        reached[next.index()] = true;
        pending.push_back(next);
      }
    }
  }
  for (const Id<Node> device : graph.devices()) {
    if (!reached[device.index()]) {
      return std::pair(start, device);
    }
  }
  return std::nullopt;
}

}  // namespace cairn::platform
