// Tiles of a GEMM on the cores that others leave free. Library kernels are persistent: they launch
// as many clusters as an idle device has room for; each starts with a cluster of tiles of its own
// and then takes the next one that is not started.
#pragma once

#include <optional>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// Clusters that fit on the device while `taken` cores are occupied. Occupying blocks are
// distributed evenly over the groups of cores; a cluster must be within one group:
//   sum over groups of floor((cores - taken) / cluster)
double clusters_left(const chip::Device& device, double taken);

// Clusters for the library's tile with the fewest waves on the idle device, then the smallest, such
// that `at_once` of them fit a core's accumulators. Empty if the device lists no sides, or the work
// is not mapped.
std::optional<double> clusters_of_tiles(const Work& work, const chip::Device& device);

// For n clusters of tiles, with room for `room` of the P of the idle device:
//   started = min(n, P)
//   waves   = ceil(started / room) + ceil((n - started) / room)
// since clusters without room start only after the others have done all the rest. Measured on an
// H200 with resident blocks that only occupy a core (docs/kernel.md).
double waves_of(double clusters, double room, double idle_room);

}  // namespace cairn::kernel
