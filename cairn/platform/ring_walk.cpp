#include "cairn/platform/ring_walk.hpp"

#include <algorithm>

namespace cairn::platform {

namespace {

bool passes_by_rank(const Graph& graph, const Ring& ring) {
  std::uint32_t next = 0;
  for (const Id<Link> link : ring.links) {
    const Id<Node> here = graph.link(link).from;
    if (graph.class_of(here).kind == NodeKind::kDevice && graph.node(here).ordinal != next++) {
      return false;
    }
  }
  return graph.link(ring.links.front()).from == graph.devices().front();
}

bool is_of_whole_classes(const Graph& graph, const Ring& ring) {
  std::vector<std::uint32_t> forward(graph.link_classes().size(), 0);
  std::vector<std::uint32_t> backward(graph.link_classes().size(), 0);
  for (const Id<Link> link : ring.links) {
    ++forward[graph.link(link).link_class.index()];
    ++backward[graph.link(reverse(link)).link_class.index()];
  }
  for (std::size_t c = 0; c < forward.size(); ++c) {
    const std::uint32_t whole = graph.link_classes()[c].count;
    if ((forward[c] != 0 && forward[c] != whole) || (backward[c] != 0 && backward[c] != whole)) {
      return false;
    }
  }
  return true;
}

}  // namespace

TakenCables no_cables_taken(const Graph& graph) {
  TakenCables none;
  none.resize(graph.links().size() / 2, false);
  return none;
}

std::optional<Ring> ring_through(const Graph& graph,
                                 const std::vector<Id<Node>>& stops,
                                 TakenCables& taken) {
  Ring ring;
  ring.links.reserve(stops.size());
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const Id<Node> next = stops[(i + 1) % stops.size()];
    const auto out = graph.links_out(stops[i]);
    const auto link = std::ranges::find_if(out, [&](Id<Link> candidate) {
      return graph.link(candidate).to == next && !taken[candidate.index() / 2];
    });
    if (link == out.end()) {
      for (const Id<Link> mine : ring.links) {
        taken[mine.index() / 2] = false;
      }
      return std::nullopt;
    }
    taken[link->index() / 2] = true;
    ring.links.push_back(*link);
  }
  return ring;
}

std::optional<Ring> ring_of_ranks(const Graph& graph,
                                  const std::vector<std::uint32_t>& ranks,
                                  TakenCables& taken) {
  std::vector<Id<Node>> stops;
  stops.reserve(ranks.size());
  for (const std::uint32_t rank : ranks) {
    stops.push_back(graph.devices()[rank]);
  }
  return ring_through(graph, stops, taken);
}

std::uint32_t count_idle_cables(const Platform& platform) {
  const Graph& graph = platform.graph;
  TakenCables taken = no_cables_taken(graph);
  for (const Ring& ring : platform.rings) {
    for (const Id<Link> link : ring.links) {
      taken[link.index() / 2] = true;
    }
  }
  const auto on_rings = [&](Id<Node> node) {
    const NodeKind kind = graph.class_of(node).kind;
    return kind == NodeKind::kDevice || kind == NodeKind::kMemoryNode;
  };
  std::uint32_t idle = 0;
  for (std::size_t cable = 0; cable < taken.size(); ++cable) {
    const Link& link = graph.links()[2 * cable];
    idle += !taken[cable] && on_rings(link.from) && on_rings(link.to) ? 1U : 0U;
  }
  return idle;
}

std::optional<std::string> fault_of_rings(const Platform& platform) {
  const Graph& graph = platform.graph;
  TakenCables taken = no_cables_taken(graph);
  for (const Ring& ring : platform.rings) {
    std::vector<std::uint32_t> visits(graph.nodes().size(), 0);
    for (std::size_t i = 0; i < ring.links.size(); ++i) {
      const Id<Link> link = ring.links[i];
      const Id<Link> next = ring.links[(i + 1) % ring.links.size()];
      if (graph.link(link).to != graph.link(next).from) {
        return "a link does not begin where the previous one ends";
      }
      if (taken[link.index() / 2]) {
        return "a cable is used twice";
      }
      taken[link.index() / 2] = true;
      ++visits[graph.link(link).from.index()];
    }
    for (const Id<Node> device : graph.devices()) {
      if (visits[device.index()] != 1) {
        return graph.name(device) + " is not visited exactly once";
      }
    }
  }
  return std::nullopt;
}

void mark_symmetric_rings(Platform& platform) {
  for (Ring& ring : platform.rings) {
    ring.shift_symmetric = platform.shift_symmetric && platform.dims.size() == 1 &&
                           passes_by_rank(platform.graph, ring) &&
                           is_of_whole_classes(platform.graph, ring);
  }
}

}  // namespace cairn::platform
