// The links on shortest paths between two nodes, by a search from both ends.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/platform/graph.hpp"

namespace cairn::platform {

class ShortestPaths {
 public:
  // `graph` must outlive this.
  explicit ShortestPaths(const Graph& graph);

  // Finds all shortest paths from one node to another. Precondition: they are connected.
  void find(Id<Node> from, Id<Node> to);

  // Distance to the destination of a node on a shortest path.
  [[nodiscard]] std::uint32_t distance(Id<Node> node) const { return to_.distance(node); }

  // Whether `link`, out of a node on a shortest path, is itself on one.
  [[nodiscard]] bool leads_nearer(Id<Link> link) const;

 private:
  static constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

  // Distances from one end, settled one distance after the other. Cables are bidirectional, so that
  // the search from the destination follows them backwards.
  class Search {
   public:
    explicit Search(bool backwards) : backwards_(backwards) {}

    void start(const Graph& graph, Id<Node> end, Id<Node> other_end);
    // Settles the nodes at the next distance.
    void advance(const ShortestPaths& paths);

    // An upper bound beyond settled().
    [[nodiscard]] std::uint32_t distance(Id<Node> node) const {
      return stamp_[node.index()] == search_ ? distance_[node.index()] : kUnreached;
    }

    void set(Id<Node> node, std::uint32_t distance);

    [[nodiscard]] bool is_settled(Id<Node> node) const { return distance(node) < next_; }

    // Nodes below this distance are settled.
    [[nodiscard]] std::uint32_t next() const { return next_; }

    [[nodiscard]] bool is_finished() const { return next_ >= end_; }

    // Number of nodes that advance() would settle, at most.
    [[nodiscard]] std::size_t effort() const { return waiting_[next_].size(); }

    // In order of their distance.
    [[nodiscard]] const std::vector<Id<Node>>& settled() const { return settled_; }

   private:
    bool backwards_;
    Id<Node> gate_{};           // a neighbour of the other end
    std::uint32_t search_ = 0;  // number of the search that the stamps refer to
    std::uint32_t next_ = 0;
    std::vector<std::uint32_t> stamp_{};            // by node
    std::vector<std::uint32_t> distance_{};         // by node
    std::uint32_t end_ = 0;                         // no nodes wait at this distance or beyond
    std::vector<std::vector<Id<Node>>> waiting_{};  // by distance; some meanwhile reached earlier
    std::vector<Id<Node>> here_{};                  // scratch space of advance()
    std::vector<Id<Node>> settled_{};
  };

  // Links out of a node, except to nodes with a single neighbour: paths only begin and end there.
  [[nodiscard]] std::span<const Id<Link>> onward(Id<Node> node) const;

  // Marks the nodes on shortest paths that only the search from the start has settled.
  void trace_back(std::uint32_t length);

  const Graph& graph_;
  std::uint32_t highest_cost_ = 1;
  std::vector<std::uint32_t> first_onward_{};  // by node: range in onward_
  std::vector<Id<Link>> onward_{};
  Search from_{false};
  Search to_{true};
};

}  // namespace cairn::platform
