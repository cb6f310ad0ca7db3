// Devices on an n-dimensional grid, connected to their neighbours: ring, torus and mesh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// A ring of devices: a torus of one dimension.
struct Ring1D {
  std::uint64_t devices = 0;
  BytesPerSecond bandwidth;
  Seconds latency{0.0};
};

const Schema<Ring1D>& schema_of(const Ring1D*);
Size size_of(const Ring1D& parameters);
Platform make_ring(const Ring1D& parameters, const Config& source = {});

// Several rings over the same order of devices, as parallel cables. A message between two devices
// is split evenly over them.
struct ParallelRings {
  std::uint64_t devices = 0;
  std::uint64_t rings = 0;
  BytesPerSecond bandwidth;
  Seconds latency{0.0};
};

const Schema<ParallelRings>& schema_of(const ParallelRings*);
Size size_of(const ParallelRings& parameters);
Platform make_rings(const ParallelRings& parameters, const Config& source = {});

// Torus and mesh. Each dimension is a ring (torus) or a line (mesh) of `dims[d]` devices. A torus
// dimension of two keeps its two parallel cables; a dimension of one has none.
struct Grid {
  std::vector<std::uint64_t> dims;
  std::vector<BytesPerSecond> bandwidth;
  std::vector<Seconds> latency{Seconds(0.0)};
};

const Schema<Grid>& schema_of(const Grid*);
Size size_of(const Grid& parameters);
Platform make_torus(const Grid& parameters, const Config& source = {});
Platform make_mesh(const Grid& parameters, const Config& source = {});

// "x", "y", "z", "d3", "d4", ...
std::string dimension_name(std::size_t dim);

}  // namespace cairn::platform::topology
