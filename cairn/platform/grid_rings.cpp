#include "cairn/platform/grid_rings.hpp"

#include <algorithm>
#include <utility>

#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/torus_cycles.hpp"

namespace cairn::platform {

namespace {

using Ranks = Cycle;

// The dimensions wider than one.
std::vector<Axis> axes_of(const Platform& platform) {
  std::vector<Axis> axes;
  std::uint32_t stride = 1;
  for (const std::uint32_t width : platform.dims) {
    if (width > 1) {
      axes.push_back({width, stride});
    }
    stride *= width;
  }
  return axes;
}

// A closed walk over the product of a path `row` of at least two ranks and a line of
// `column.width` rows, an even number:
//
//   row 0 from end to end, then to and fro over the rows above except their first rank, and back
//   over the first ranks.
Ranks snake(const Ranks& row, Axis column) {
  Ranks walk = row;
  for (std::uint32_t r = 1; r < column.width; ++r) {
    Ranks part(row.begin() + 1, row.end());
    if (r % 2 == 1) {
      std::ranges::reverse(part);
    }
    for (const std::uint32_t rank : part) {
      walk.push_back(rank + r * column.stride);
    }
  }
  for (std::uint32_t r = column.width - 1; r > 0; --r) {
    walk.push_back(row.front() + r * column.stride);
  }
  return walk;
}

Ranks line(Axis axis) {
  Ranks ranks(axis.width);
  for (std::uint32_t c = 0; c < axis.width; ++c) {
    ranks[c] = c * axis.stride;
  }
  return ranks;
}

// A path over the whole product: `row` to and fro along the new axis.
Ranks fold_back(const Ranks& row, Axis axis) {
  Ranks path;
  path.reserve(row.size() * axis.width);
  for (std::uint32_t c = 0; c < axis.width; ++c) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      path.push_back(row[c % 2 == 0 ? i : row.size() - 1 - i] + c * axis.stride);
    }
  }
  return path;
}

void add_ring(const Platform& platform,
              const Ranks& ranks,
              TakenCables& taken,
              std::vector<Ring>& rings) {
  if (auto ring = ring_of_ranks(platform.graph, ranks, taken)) {
    rings.push_back(std::move(*ring));
  }
}

}  // namespace

std::vector<Ring> rings_of_torus(const Platform& platform) {
  const auto axes = axes_of(platform);
  std::vector<Ring> rings;
  if (axes.empty()) {
    return rings;
  }
  TakenCables taken = no_cables_taken(platform.graph);
  for (const Ranks& cycle : cycles_of_torus(axes)) {
    add_ring(platform, cycle, taken, rings);
  }
  return rings;
}

std::vector<Ring> rings_of_mesh(const Platform& platform) {
  auto axes = axes_of(platform);
  const auto even = std::ranges::find_if(axes, [](Axis axis) { return axis.width % 2 == 0; });
  std::vector<Ring> rings;
  if (axes.size() < 2 || even == axes.end()) {
    return rings;
  }
  std::rotate(even, even + 1, axes.end());  // the even one last
  Ranks path = line(axes.front());
  for (std::size_t a = 1; a + 1 < axes.size(); ++a) {
    path = fold_back(path, axes[a]);
  }
  TakenCables taken = no_cables_taken(platform.graph);
  add_ring(platform, snake(path, axes.back()), taken, rings);
  return rings;
}

}  // namespace cairn::platform
