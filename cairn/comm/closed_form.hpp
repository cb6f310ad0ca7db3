// The time each algorithm takes where nothing contends, in closed form: every step costs the
// latency l of the way it takes and its bytes over the bandwidth B (the alpha-beta model). The
// simulation equals these there, and tests say so; placement may use them where simulating costs
// too much.
#pragma once

#include <cstdint>
#include <span>

#include "cairn/comm/collective.hpp"

namespace cairn::comm {

// The way a message takes: B of its slowest link, and l of all its links together.
struct Way {
  BytesPerSecond bandwidth;
  Seconds latency;
};

// One ring, one direction. Broadcast and reduce go along a chain, pipelined in chunks.
Seconds ring_time(Op op, std::uint32_t devices, Bytes size, const Way& step, std::uint32_t chunks);

// Several rings, both directions, each with its share of the payload in proportion to its B.
Seconds rings_time(Op op, std::uint32_t devices, Bytes size, std::span<const Way> rings);

// `device`: what a device sends with, over all its links together.
Seconds direct_time(Op op, std::uint32_t devices, Bytes size, const Way& device);

Seconds halving_doubling_time(Op op, std::uint32_t devices, Bytes size, const Way& step);

// Every edge of both trees has a link of its own in each direction.
Seconds double_binary_tree_time(
    Op op, std::uint32_t devices, Bytes size, const Way& edge, std::uint32_t chunks);

// Links from a node of the in-order tree to its root, at most: of a double binary tree.
std::uint32_t tree_depth(std::uint32_t devices);

struct RingDimension {
  std::uint32_t width = 1;
  Way step;  // to the next device along the dimension
};

// One chunk goes through all phases; of several, all but the first follow at the pace of the
// dimension that is busy longest, since others fill the gaps that latencies leave:
//   sum over phases of k (l + b / B)  +  (chunks - 1) max over dimensions of (sum of k b / B)
// where a phase has k steps of b bytes. Exact for one chunk. With several, a dimension that is
// used both first and last can do without some of the first term, so the time lies between
//   chunks max over dimensions of (sum of k b / B)     (hierarchical_bottleneck)
// and this.
Seconds hierarchical_time(Op op,
                          std::span<const RingDimension> dimensions,
                          Bytes size,
                          std::uint32_t chunks);

Seconds hierarchical_bottleneck(Op op, std::span<const RingDimension> dimensions, Bytes size);

// As hierarchical_time, for the algorithm `nested`.
Seconds nested_time(std::span<const RingDimension> dimensions, Bytes size, std::uint32_t chunks);

}  // namespace cairn::comm
