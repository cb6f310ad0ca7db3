// Minimum cut: the smallest link bandwidth that separates two sets of devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/platform/graph.hpp"

namespace cairn::platform {

// Finds cuts of one graph. By the max-flow min-cut theorem the minimum cut equals the maximum flow,
// found as by E. A. Dinic, "Algorithm for solution of a problem of maximum flow in a network with
// power estimation", Soviet Math. Doklady 11, 1970. Nodes that are not devices fall on the side
// that minimizes the cut. Only links count, not injection limits.
class MinCut {
 public:
  explicit MinCut(const Graph& graph);

  // Bandwidth of the minimum cut from the devices marked true to the others. Once it is known to be
  // at least `enough` the search may stop and return any value not below that.
  BytesPerSecond between(const std::vector<bool>& source_side, BytesPerSecond enough);

 private:
  struct Edge {
    std::uint32_t to = 0;
    double capacity = 0.0;  // edge 2k and its residual 2k+1
  };

  void add_edge(std::size_t from, std::size_t to, double capacity);
  bool find_levels();
  double push_along_levels();
  std::optional<std::uint32_t> next_edge_up(std::size_t node);
  // Saturates the path and truncates it before the first saturated edge.
  double fill(std::vector<std::uint32_t>& path);

  const Graph* graph_;
  std::size_t source_;
  std::size_t sink_;
  bool only_devices_;
  std::vector<Edge> edges_;
  std::vector<double> capacity_;  // capacities of edges_ before any flow
  std::vector<std::vector<std::uint32_t>> out_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> next_;
};

}  // namespace cairn::platform
