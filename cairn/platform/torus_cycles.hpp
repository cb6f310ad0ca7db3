// Edge-disjoint Hamiltonian cycles of tori.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/platform/two_factor.hpp"

namespace cairn::platform {

// One dimension of a torus: `width` devices whose ranks are `stride` apart.
struct Axis {
  std::uint32_t width = 1;
  std::uint32_t stride = 1;
};

// Cable-disjoint cycles over all ranks. Where every width is at least three there is one cycle per
// axis, and they use every cable; with widths of two there may be fewer. Precondition: at least one
// axis, all wider than one.
//
// Two axes: split_product. Each further axis of width c starts from c copies of the cycles H1, H2,
// ... found so far. H1 with the new axis is split into two; the copies of H2 are merged, each with
// the next, by switching a square's edges (see split_product) with a finished cycle such that it
// stays one. Axes are tried in several orders until there are as many cycles as axes.
//
// (Existence for widths of at least three: Foregger, "Hamiltonian decompositions of
// products of cycles", Discrete Mathematics 24, 1978, for three, Aubert & Schneider 1982 for more.)
std::vector<Cycle> cycles_of_torus(std::span<const Axis> axes);

}  // namespace cairn::platform
