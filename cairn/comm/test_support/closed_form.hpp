// For tests: the time of each algorithm without contention, in closed form. Every step costs the
// latency l of its route plus its bytes over the bandwidth B (the alpha-beta model).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::comm {

// The route of a message: B of its slowest link, and l summed over its links.
struct Way {
  BytesPerSecond bandwidth;
  Seconds latency;
};

// The route's latency and bandwidth with the protocol's overhead.
inline Way with_protocol(const Way& way, const platform::Protocol& protocol) {
  return {.bandwidth = way.bandwidth * protocol.efficiency,
          .latency = way.latency + protocol.latency};
}

struct RingDimension {
  std::uint32_t width = 1;
  Way step;  // to the next device along the dimension
};

namespace closed_form {

// An all-reduce is a reduce-scatter and an all-gather.
inline double passes(Op op) {
  ensure(op == Op::kAllReduce || op == Op::kReduceScatter || op == Op::kAllGather,
         "no closed form for this operation");
  return op == Op::kAllReduce ? 2.0 : 1.0;
}

inline bool is_chain(Op op) {
  return op == Op::kBroadcast || op == Op::kReduce;
}

inline Seconds transfer(const Way& way, Bytes bytes) {
  return way.latency + bytes / way.bandwidth;
}

// `chunks` messages, pipelined over `stages` routes that share no link.
inline Seconds pipeline(double stages, const Way& way, Bytes size, std::uint32_t chunks) {
  const Bytes chunk = size / static_cast<double>(chunks);
  return stages * transfer(way, chunk) + (chunks - 1.0) * (chunk / way.bandwidth);
}

// Steps of one phase, and the bytes of each per byte of payload.
struct DimensionPhase {
  std::size_t dim;
  double steps;
  double share;
};

class DimensionPhases {
 public:
  explicit DimensionPhases(std::span<const RingDimension> dimensions) : dimensions_(dimensions) {}

  void reduce_scatter(std::size_t dim) {
    pass_round(dim, 1.0);
    fraction_ /= dimensions_[dim].width;
  }

  void all_reduce(std::size_t dim) { pass_round(dim, 2.0); }

  void all_gather(std::size_t dim) {
    fraction_ *= dimensions_[dim].width;
    pass_round(dim, 1.0);
  }

  [[nodiscard]] const std::vector<DimensionPhase>& phases() const { return phases_; }

  void scatter_all() {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      reduce_scatter(d);
    }
  }

 private:
  void pass_round(std::size_t dim, double rounds) {
    const double width = dimensions_[dim].width;
    phases_.push_back({dim, rounds * (width - 1.0), fraction_ / width});
  }

  std::span<const RingDimension> dimensions_;
  double fraction_ = 1.0;
  std::vector<DimensionPhase> phases_;
};

enum class Form { kHierarchical, kNested };

inline std::vector<DimensionPhase> phases_of(Op op,
                                             std::span<const RingDimension> dimensions,
                                             Form form) {
  DimensionPhases walk(dimensions);
  const std::size_t dims = dimensions.size();
  if (passes(op) == 1.0) {
    walk.scatter_all();  // an all-gather takes as long as a reduce-scatter
    return walk.phases();
  }
  const std::size_t scattered =
      form == Form::kNested ? dims - 1 : std::min<std::size_t>(dims, 2) - 1;
  for (std::size_t d = 0; d < scattered; ++d) {
    walk.reduce_scatter(d);
  }
  for (std::size_t d = scattered; d < dims; ++d) {
    walk.all_reduce(d);
  }
  for (std::size_t d = scattered; d > 0; --d) {
    walk.all_gather(d - 1);
  }
  return walk.phases();
}

// Time in use of the links of the busiest dimension; each direction carries half the payload.
inline Seconds busiest(const std::vector<DimensionPhase>& phases,
                       std::span<const RingDimension> dimensions,
                       Bytes size) {
  std::vector<Seconds> busy(dimensions.size());
  for (const DimensionPhase& phase : phases) {
    busy[phase.dim] +=
        phase.steps * (size * (0.5 * phase.share) / dimensions[phase.dim].step.bandwidth);
  }
  return *std::ranges::max_element(busy);
}

inline Seconds pipelined(const std::vector<DimensionPhase>& phases,
                         std::span<const RingDimension> dimensions,
                         Bytes size,
                         std::uint32_t chunks) {
  const Bytes chunk = size / static_cast<double>(chunks);
  Seconds first;
  for (const DimensionPhase& phase : phases) {
    first += phase.steps * transfer(dimensions[phase.dim].step, chunk * (0.5 * phase.share));
  }
  return first + (chunks - 1.0) * busiest(phases, dimensions, chunk);
}

}  // namespace closed_form

// One ring, one direction. Broadcast and reduce go along a chain, pipelined in chunks.
inline Seconds ring_time(
    Op op, std::uint32_t devices, Bytes size, const Way& step, std::uint32_t chunks) {
  const double n = devices;
  if (closed_form::is_chain(op)) {
    return closed_form::pipeline(n - 1.0, step, size, chunks);
  }
  return closed_form::passes(op) * (n - 1.0) * closed_form::transfer(step, size / n);
}

// Several rings in both directions; payload is divided in proportion to B.
inline Seconds rings_time(Op op, std::uint32_t devices, Bytes size, std::span<const Way> rings) {
  BytesPerSecond total;
  for (const Way& ring : rings) {
    total += ring.bandwidth;
  }
  Seconds slowest;
  for (const Way& ring : rings) {
    const Bytes share = size * (ring.bandwidth / (2.0 * total));
    slowest = std::max(slowest, ring_time(op, devices, share, ring, 1));
  }
  return slowest;
}

// `device`: bandwidth of a device over all its links together.
inline Seconds direct_time(Op op, std::uint32_t devices, Bytes size, const Way& device) {
  const double n = devices;
  switch (op) {
    case Op::kAllReduce:
      return 2.0 * closed_form::transfer(device, size * ((n - 1.0) / n));
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kAllToAll:
    case Op::kGather:
    case Op::kScatter:
      return closed_form::transfer(device, size * ((n - 1.0) / n));
    case Op::kBroadcast:
    case Op::kReduce:
      return closed_form::transfer(device, size * (n - 1.0));
    case Op::kSendReceive:
      return closed_form::transfer(device, size);
  }
  throw Bug("no closed form for this collective");
}

inline Seconds halving_doubling_time(Op op, std::uint32_t devices, Bytes size, const Way& step) {
  const double n = devices;
  const double steps = std::bit_width(devices - 1);  // ceil(log2 n)
  return closed_form::passes(op) * (steps * step.latency + size * ((n - 1.0) / n) / step.bandwidth);
}

// Maximum number of links from a node to the root of each tree of a double binary tree.
inline std::uint32_t tree_depth(std::uint32_t devices) {
  // Nodes 1..n-1 fill an in-order tree below node 0; the parent of the largest power of two is 0.
  return devices < 2 ? 0 : 32U - static_cast<std::uint32_t>(std::countl_zero(devices - 1));
}

// Every edge of both trees has a link of its own in each direction.
inline Seconds double_binary_tree_time(
    Op op, std::uint32_t devices, Bytes size, const Way& edge, std::uint32_t chunks) {
  const double directions = op == Op::kAllReduce ? 2.0 : 1.0;
  return closed_form::pipeline(directions * tree_depth(devices), edge, size / 2.0, chunks);
}

// The first chunk passes all phases; the others follow at the rate of the busiest dimension, since
// they fill the gaps that latencies leave:
//   sum over phases of k (l + b / B)  +  (chunks - 1) max over dimensions of (sum of k b / B)
// where a phase has k steps of b bytes. Exact for one chunk. With several chunks, a dimension that
// is used both first and last overlaps part of the first term, so the time is between
//   chunks max over dimensions of (sum of k b / B)     (hierarchical_bottleneck)
// and this.
inline Seconds hierarchical_time(Op op,
                                 std::span<const RingDimension> dimensions,
                                 Bytes size,
                                 std::uint32_t chunks) {
  return closed_form::pipelined(
      closed_form::phases_of(op, dimensions, closed_form::Form::kHierarchical),
      dimensions,
      size,
      chunks);
}

inline Seconds hierarchical_bottleneck(Op op,
                                       std::span<const RingDimension> dimensions,
                                       Bytes size) {
  return closed_form::busiest(
      closed_form::phases_of(op, dimensions, closed_form::Form::kHierarchical), dimensions, size);
}

// The same for the algorithm `nested`.
inline Seconds nested_time(std::span<const RingDimension> dimensions,
                           Bytes size,
                           std::uint32_t chunks) {
  return closed_form::pipelined(
      closed_form::phases_of(Op::kAllReduce, dimensions, closed_form::Form::kNested),
      dimensions,
      size,
      chunks);
}

}  // namespace cairn::comm
