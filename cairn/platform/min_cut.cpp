#include "cairn/platform/min_cut.hpp"

#include <algorithm>
#include <limits>

namespace cairn::platform {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

}  // namespace

MinCut::MinCut(const Graph& graph)
    : graph_(&graph),
      source_(graph.nodes().size()),
      sink_(graph.nodes().size() + 1),
      only_devices_(graph.devices().size() == graph.nodes().size()) {
  if (only_devices_) {
    return;
  }
  out_.resize(graph.nodes().size() + 2);
  for (std::size_t l = 0; l < graph.links().size(); ++l) {
    const Link& link = graph.links()[l];
    add_edge(link.from.index(), link.to.index(), graph.class_of(Id<Link>(l)).bandwidth.si());
  }
  for (const Id<Node> device : graph.devices()) {
    add_edge(source_, device.index(), kUnlimited);
    add_edge(device.index(), sink_, kUnlimited);
  }
  capacity_.reserve(edges_.size());
  for (const Edge& edge : edges_) {
    capacity_.push_back(edge.capacity);
  }
}

void MinCut::add_edge(std::size_t from, std::size_t to, double capacity) {
  out_[from].push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back({static_cast<std::uint32_t>(to), capacity});
  out_[to].push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back({static_cast<std::uint32_t>(from), 0.0});
}

BytesPerSecond MinCut::between(const std::vector<bool>& source_side, BytesPerSecond enough) {
  if (only_devices_) {
    BytesPerSecond cut;
    for (std::size_t l = 0; l < graph_->links().size(); ++l) {
      const Link& link = graph_->links()[l];
      if (source_side[graph_->node(link.from).ordinal] &&
          !source_side[graph_->node(link.to).ordinal]) {
        cut += graph_->class_of(Id<Link>(l)).bandwidth;
      }
    }
    return cut;
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    edges_[e].capacity = capacity_[e];
  }
  // The edges between a device and source and sink come last, four per device; disable one of them.
  const std::size_t first = edges_.size() - 4 * source_side.size();
  for (std::size_t rank = 0; rank < source_side.size(); ++rank) {
    edges_[first + 4 * rank + (source_side[rank] ? 2 : 0)].capacity = 0.0;
  }
  double flow = 0.0;
  while (flow < enough.si() && find_levels()) {
    flow += push_along_levels();
  }
  return BytesPerSecond(flow);
}

bool MinCut::find_levels() {
  level_.assign(out_.size(), kNoLevel);
  level_[source_] = 0;
  std::vector<std::size_t> frontier{source_};
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    for (const std::uint32_t e : out_[frontier[i]]) {
      if (edges_[e].capacity > 0.0 && level_[edges_[e].to] == kNoLevel) {
        level_[edges_[e].to] = level_[frontier[i]] + 1;
        frontier.push_back(edges_[e].to);
      }
    }
  }
  return level_[sink_] != kNoLevel;
}

// A blocking flow: paths that climb one level per edge, until none is left.
double MinCut::push_along_levels() {
  double total = 0.0;
  next_.assign(out_.size(), 0);
  std::vector<std::uint32_t> path;
  while (true) {
    const std::size_t here = path.empty() ? source_ : edges_[path.back()].to;
    if (here == sink_) {
      total += fill(path);
    } else if (const auto edge = next_edge_up(here)) {
      path.push_back(*edge);
    } else if (path.empty()) {
      return total;
    } else {
      // Dead end: skip the edge that led here.
      const std::size_t before = edges_[path.back() ^ 1U].to;
      path.pop_back();
      ++next_[before];
    }
  }
}

std::optional<std::uint32_t> MinCut::next_edge_up(std::size_t node) {
  for (; next_[node] < out_[node].size(); ++next_[node]) {
    const Edge& edge = edges_[out_[node][next_[node]]];
    if (edge.capacity > 0.0 && level_[edge.to] == level_[node] + 1) {
      return out_[node][next_[node]];
    }
  }
  return std::nullopt;
}

double MinCut::fill(std::vector<std::uint32_t>& path) {
  double least = kUnlimited;
  for (const std::uint32_t e : path) {
    least = std::min(least, edges_[e].capacity);
  }
  std::size_t keep = path.size();
  for (std::size_t i = path.size(); i-- > 0;) {
    edges_[path[i]].capacity -= least;
    edges_[path[i] ^ 1U].capacity += least;
    keep = edges_[path[i]].capacity <= 0.0 ? i : keep;
  }
  path.resize(keep);
  return least;
}

}  // namespace cairn::platform
