// Islands of one topology connected by another, rail by rail.
#pragma once

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"
#include "cairn/platform/topology.hpp"

namespace cairn::platform::topology {

// `between` describes how islands are connected: each of its devices stands for one island. The
// device with index i in its island is on rail i: a copy of `between` over the devices with that
// index. So 8 devices on a switch, connected by "fat_tree:32x4@...", are 128 islands on 8 rails,
// each rail a fat-tree of its own; a torus connected by a ring is a torus of one dimension more.
//
// Dims are those of the island followed by those of `between`. The platform is the Cartesian
// product of both graphs, with the switches of either side copied; it is shift-symmetric if both
// are. A message takes all shortest paths, split evenly: between two rails half of it changes
// rails in the island it starts from and half in the one it goes to.
struct Islands {
  Config island;
  Config between;
};

const Schema<Islands>& schema_of(const Islands*);

// Known without building either part.
Size size_of_islands(const Config& parameters, const SearchPath& presets);

Platform make_islands(const Config& parameters, const SearchPath& presets);

Platform join_islands(const Platform& island, const Platform& between, const Config& source = {});

}  // namespace cairn::platform::topology
