#include "cairn/platform/find_rings.hpp"

#include <algorithm>
#include <limits>

#include "cairn/platform/ring_walk.hpp"

namespace cairn::platform {

namespace {

constexpr std::size_t kMaxSteps = 200'000;

bool may_be_on_ring(const Graph& graph, Id<Node> node) {
  const NodeKind kind = graph.class_of(node).kind;
  return kind == NodeKind::kDevice || kind == NodeKind::kMemoryNode;
}

// A path from one device to another over free cables, through memory-nodes only.
struct Leg {
  Id<Node> end;
  std::vector<Id<Link>> links;
};

class RingSearch {
 public:
  explicit RingSearch(const Graph& graph)
      : graph_(&graph), taken_(no_cables_taken(graph)), visited_(graph.nodes().size(), false) {}

  // Searches for up to `max_rings` rings; returns the largest set found within kMaxSteps.
  std::vector<Ring> find(std::size_t max_rings) {
    max_rings_ = max_rings;
    start_ring();
    return std::move(best_);
  }

 private:
  // True once the search is over.
  bool start_ring() {
    if (found_.size() > best_.size()) {
      best_ = found_;
    }
    if (found_.size() == max_rings_) {
      return true;
    }
    const auto outer_visited = visited_;
    visited_.assign(visited_.size(), false);
    std::vector<Id<Link>> walk;
    std::swap(walk, walk_);
    const Id<Node> first = graph_->devices().front();
    visited_[first.index()] = true;
    const bool over = extend(first, 1);
    std::swap(walk, walk_);
    visited_ = outer_visited;
    return over;
  }

  bool extend(Id<Node> here, std::size_t passed) {
    if (++steps_ > kMaxSteps) {
      return true;
    }
    const bool closing = passed == graph_->devices().size();
    for (const Leg& leg : legs_from(here, closing)) {
      take(leg, true);
      bool over = false;
      if (closing) {
        found_.push_back({walk_});
        over = start_ring();
        found_.pop_back();
      } else {
        visited_[leg.end.index()] = true;
        over = extend(leg.end, passed + 1);
        visited_[leg.end.index()] = false;
      }
      take(leg, false);
      if (over) {
        return true;
      }
    }
    return false;
  }

  void take(const Leg& leg, bool on) {
    for (const Id<Link> link : leg.links) {
      taken_[link.index() / 2] = on;
    }
    if (on) {
      walk_.insert(walk_.end(), leg.links.begin(), leg.links.end());
    } else {
      walk_.resize(walk_.size() - leg.links.size());
    }
  }

  // Shortest legs to every device not visited yet (or, when closing, to the first), nearest first:
  // breadth first over free cables, through memory-nodes only.
  [[nodiscard]] std::vector<Leg> legs_from(Id<Node> here, bool closing) const {
    constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> arrived_by(graph_->nodes().size(), kNone);
    std::vector<Id<Node>> frontier{here};
    std::vector<Leg> legs;
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      for (const Id<Link> link : graph_->links_out(frontier[i])) {
        const Id<Node> next = graph_->link(link).to;
        if (next == here || taken_[link.index() / 2] || arrived_by[next.index()] != kNone ||
            !may_be_on_ring(*graph_, next)) {
          continue;
        }
        arrived_by[next.index()] = link.value;
        if (graph_->class_of(next).kind != NodeKind::kDevice) {
          frontier.push_back(next);
        } else if (closing ? next == graph_->devices().front() : !visited_[next.index()]) {
          legs.push_back({next, path_to(next, here, arrived_by)});
        }
      }
    }
    return legs;
  }

  [[nodiscard]] std::vector<Id<Link>> path_to(Id<Node> end,
                                              Id<Node> begin,
                                              const std::vector<std::uint32_t>& arrived_by) const {
    std::vector<Id<Link>> links;
    for (Id<Node> node = end; node != begin;) {
      const Id<Link> link(arrived_by[node.index()]);
      links.push_back(link);
      node = graph_->link(link).from;
    }
    std::ranges::reverse(links);
    return links;
  }

  const Graph* graph_;
  TakenCables taken_;
  std::vector<bool> visited_;   // devices on the ring being built
  std::vector<Id<Link>> walk_;  // links of the ring being built
  std::vector<Ring> found_;     // complete rings
  std::vector<Ring> best_;
  std::size_t max_rings_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<Ring> find_rings(const Platform& platform) {
  const Graph& graph = platform.graph;
  const auto devices = graph.devices();
  if (devices.size() < 2 || devices.size() > kMaxDevicesToSearch) {
    return {};
  }
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Id<Node> device : devices) {
    const auto out = graph.links_out(device);
    const auto usable = std::ranges::count_if(
        out, [&](Id<Link> link) { return may_be_on_ring(graph, graph.link(link).to); });
    fewest = std::min(fewest, static_cast<std::size_t>(usable));
  }
  return fewest < 2 ? std::vector<Ring>() : RingSearch(graph).find(fewest / 2);
}

}  // namespace cairn::platform
