// Tiles of a product on the cores that others leave. Kernels of a library are persistent: they
// start one cluster of cores for each that an idle device has room for; each begins with a cluster
// of tiles of its own and then takes the next that nobody has begun.
#pragma once

#include <optional>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// Clusters of tiles that find room where `taken` cores are not to be had. Blocks spread over the
// groups of cores, as equal as can be; clusters must lie in one:
//   sum over groups of floor((cores - taken) / cluster)
double clusters_left(const chip::Device& device, double taken);

// Of the product's tiles, those of a library: the fewest waves on the idle device, then the
// smallest, with the sums of `at_once` in a core's accumulators. Nothing where the device names no
// sides, or nothing is mapped.
std::optional<double> clusters_of_tiles(const Work& work, const chip::Device& device);

// With n clusters of tiles, and room for so many of the device's P:
//   started = min(n, P)
//   waves   = ceil(started / room) + ceil((n - started) / room)
// since those that found no room begin with theirs only when the others have done all the rest.
// Measured on an H200 with blocks that stay and do nothing (docs/kernel.md).
double waves_of(double clusters, double room, double of_idle_device);

}  // namespace cairn::kernel
