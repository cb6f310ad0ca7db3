// Hamiltonian rings of tori and meshes.
#pragma once

#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// One edge-disjoint ring per dimension wider than one; together they use every cable. There may be
// fewer, but at least one, where the only even dimension is two or several dimensions are two (see
// cycles_of_torus). None for a single device.
std::vector<Ring> rings_of_torus(const Platform& platform);

// One ring if some dimension is even and at least two are wider than one, else none.
std::vector<Ring> rings_of_mesh(const Platform& platform);

}  // namespace cairn::platform
