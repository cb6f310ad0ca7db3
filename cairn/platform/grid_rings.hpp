// Hamiltonian rings of tori and meshes.
#pragma once

#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// As many edge-disjoint rings as there are dimensions above one, which use every cable, except that
// there may be fewer where the only even dimension is two or several dimensions are two; at least
// one (see cycles_of_torus). For one device none.
std::vector<Ring> rings_of_torus(const Platform& platform);

// One ring where there is one: some dimension is even and at least two are above one.
std::vector<Ring> rings_of_mesh(const Platform& platform);

}  // namespace cairn::platform
