#include "cairn/comm/closed_form.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "cairn/base/failure.hpp"

namespace cairn::comm {

namespace {

// How often the pattern of a reduce-scatter or all-gather is gone through.
double passes(Op op) {
  ensure(op == Op::kAllReduce || op == Op::kReduceScatter || op == Op::kAllGather,
         "a closed form for another operation");
  return op == Op::kAllReduce ? 2.0 : 1.0;
}

bool is_chain(Op op) {
  return op == Op::kBroadcast || op == Op::kReduce;
}

Seconds transfer(const Way& way, Bytes bytes) {
  return way.latency + bytes / way.bandwidth;
}

// `chunks` messages after one another over `stages` ways of their own.
Seconds pipeline(double stages, const Way& way, Bytes size, std::uint32_t chunks) {
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

std::vector<DimensionPhase> phases_of(Op op, std::span<const RingDimension> dimensions, Form form) {
  DimensionPhases walk(dimensions);
  const std::size_t dims = dimensions.size();
  if (passes(op) == 1.0) {
    walk.scatter_all();  // an all-gather is a reduce-scatter backwards
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

// How long the links of the busiest dimension work; each direction carries half the payload.
Seconds busiest(const std::vector<DimensionPhase>& phases,
                std::span<const RingDimension> dimensions,
                Bytes size) {
  std::vector<Seconds> busy(dimensions.size());
  for (const DimensionPhase& phase : phases) {
    busy[phase.dim] +=
        phase.steps * (size * (0.5 * phase.share) / dimensions[phase.dim].step.bandwidth);
  }
  return *std::ranges::max_element(busy);
}

Seconds pipelined(const std::vector<DimensionPhase>& phases,
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

}  // namespace

Seconds ring_time(Op op, std::uint32_t devices, Bytes size, const Way& step, std::uint32_t chunks) {
  const double n = devices;
  if (is_chain(op)) {
    return pipeline(n - 1.0, step, size, chunks);
  }
  return passes(op) * (n - 1.0) * transfer(step, size / n);
}

Seconds rings_time(Op op, std::uint32_t devices, Bytes size, std::span<const Way> rings) {
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

Seconds direct_time(Op op, std::uint32_t devices, Bytes size, const Way& device) {
  const double n = devices;
  switch (op) {
    case Op::kAllReduce:
      return 2.0 * transfer(device, size * ((n - 1.0) / n));
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kAllToAll:
    case Op::kGather:
    case Op::kScatter:
      return transfer(device, size * ((n - 1.0) / n));
    case Op::kBroadcast:
    case Op::kReduce:
      return transfer(device, size * (n - 1.0));
    case Op::kSendReceive:
      return transfer(device, size);
  }
  throw Bug("a collective without a closed form");
}

Seconds halving_doubling_time(Op op, std::uint32_t devices, Bytes size, const Way& step) {
  const double n = devices;
  const double steps = std::bit_width(devices - 1);  // ceil(log2 n)
  return passes(op) * (steps * step.latency + size * ((n - 1.0) / n) / step.bandwidth);
}

std::uint32_t tree_depth(std::uint32_t devices) {
  // Nodes 1..n-1 fill an in-order tree below node 0; the parent of the largest power of two is 0.
  return devices < 2 ? 0 : 32U - static_cast<std::uint32_t>(std::countl_zero(devices - 1));
}

Seconds double_binary_tree_time(
    Op op, std::uint32_t devices, Bytes size, const Way& edge, std::uint32_t chunks) {
  const double directions = op == Op::kAllReduce ? 2.0 : 1.0;
  return pipeline(directions * tree_depth(devices), edge, size / 2.0, chunks);
}

Seconds hierarchical_time(Op op,
                          std::span<const RingDimension> dimensions,
                          Bytes size,
                          std::uint32_t chunks) {
  return pipelined(phases_of(op, dimensions, Form::kHierarchical), dimensions, size, chunks);
}

Seconds hierarchical_bottleneck(Op op, std::span<const RingDimension> dimensions, Bytes size) {
  return busiest(phases_of(op, dimensions, Form::kHierarchical), dimensions, size);
}

Seconds nested_time(std::span<const RingDimension> dimensions, Bytes size, std::uint32_t chunks) {
  return pipelined(phases_of(Op::kAllReduce, dimensions, Form::kNested), dimensions, size, chunks);
}

}  // namespace cairn::comm
