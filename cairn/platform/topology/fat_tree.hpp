// A tree of switches, fat towards the root: leaf/spine with two levels, k-ary n-trees with more.
// S. R. Ohring et al., "On generalized fat trees", IPPS 1995.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// Level l has dims[l] children under each switch: dims[0] devices under a leaf, dims[1] leaves
// under each spine, ... Each switch of level l has parents[l] switches above it, one cable to each.
// A message goes up to the lowest level above both ends, split evenly over all paths.
//
// With one bandwidth, the cables above level l have the speed that gives a switch
//   (bandwidth up) = (bandwidth down) / oversubscription.
// With one per level, they are as given.
struct FatTree {
  std::vector<std::uint64_t> dims;
  std::vector<std::uint64_t> parents;  // default: dims[l] / oversubscription, at least 1
  std::vector<BytesPerSecond> bandwidth;
  std::vector<Seconds> latency{Seconds(0.0)};
  double oversubscription = 1.0;
};

const Schema<FatTree>& schema_of(const FatTree*);
Size size_of(const FatTree& parameters);
Platform make_fat_tree(const FatTree& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
