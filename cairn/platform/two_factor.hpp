// Two-factors of a graph: sets of cycles in which every vertex has two edges.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cairn::platform {

using Cycle = std::vector<std::uint32_t>;  // vertices in order, closed

// One two-factor, as adjacency. Vertices are below `size`; unconnected ones have no neighbours.
class TwoFactor {
 public:
  explicit TwoFactor(std::size_t size) : neighbours_(size, {kNone, kNone}) {}

  // Adds an edge. Precondition: both vertices have fewer than two edges.
  void join(std::uint32_t a, std::uint32_t b);

  // Adds a cycle with `offset` added to every vertex.
  void add(const Cycle& cycle, std::uint32_t offset);

  [[nodiscard]] bool joins(std::uint32_t a, std::uint32_t b) const {
    return neighbours_[a][0] == b || neighbours_[a][1] == b;
  }

  // Replaces the edges p-q and r-s by p-r and q-s. If they were on two cycles, these merge.
  void replace(std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s);

  // The cycle through a vertex.
  [[nodiscard]] Cycle cycle_through(std::uint32_t first) const;

 private:
  static constexpr std::uint32_t kNone = ~0U;

  void exchange(std::uint32_t at, std::uint32_t old_neighbour, std::uint32_t new_neighbour);

  std::vector<std::array<std::uint32_t, 2>> neighbours_;
};

}  // namespace cairn::platform
