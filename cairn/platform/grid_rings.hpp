// Hamiltonian rings of tori and meshes.
#pragma once

#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// For k x k devices (dimensions of one aside) the two edge-disjoint rings of the Lee-distance Gray
// codes of Bae and Bose, "Edge disjoint Hamiltonian cycles in k-ary n-cubes and hypercubes", IEEE
// Trans. Computers 52(10), 2003: they use every cable. For other dims one ring. For one device
// none.
std::vector<Ring> rings_of_torus(const Platform& platform);

// One ring where there is one: some dimension is even and at least two are above one.
std::vector<Ring> rings_of_mesh(const Platform& platform);

}  // namespace cairn::platform
