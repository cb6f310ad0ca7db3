#include "cairn/plan/place.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::plan {

namespace {

// A run of an axis within one dimension of the platform: `shards` ranks, `stride` apart.
struct Stretch {
  std::uint32_t shards = 1;
  std::uint32_t stride = 1;
};

// The free part of the platform's dimensions while axes are laid out one after the other.
class FreeDimensions {
 public:
  explicit FreeDimensions(const std::vector<std::uint32_t>& dims) : left_(dims) {}

  // Takes the next `size` devices, nearest first. An axis that does not fill dimensions evenly
  // takes consecutive ranks.
  std::vector<Stretch> take(std::uint32_t size) {
    std::vector<Stretch> stretches;
    std::uint32_t rest = size;
    std::vector<std::uint32_t> left = left_;
    std::uint32_t stride = stride_;
    std::size_t dim = dim_;
    while (rest > 1 && dim < left.size()) {
      const std::uint32_t common = std::gcd(rest, left[dim]);
      // Evenly: the axis ends within the dimension, or fills the rest of it.
      if (common != rest && common != left[dim]) {
        break;
      }
      if (common > 1) {
        stretches.push_back({common, stride});
      }
      rest /= common;
      stride *= common;
      left[dim] /= common;
      dim += left[dim] == 1 ? 1U : 0U;
    }
    straight_ = straight_ || rest > 1;
    if (straight_) {
      stretches = {{size, stride_}};
      stride_ *= size;
      return stretches;
    }
    left_ = left;
    dim_ = dim;
    stride_ = stride;
    return stretches;
  }

 private:
  std::vector<std::uint32_t> left_;
  std::size_t dim_ = 0;
  std::uint32_t stride_ = 1;
  bool straight_ = false;
};

// Rank of a coordinate along an axis, relative to coordinate 0.
std::uint32_t offset_of(std::uint32_t coordinate,
                        const std::vector<Stretch>& stretches,
                        Turns turns) {
  std::uint32_t offset = 0;
  for (const Stretch& stretch : stretches) {
    const std::uint32_t digit = coordinate % stretch.shards;
    coordinate /= stretch.shards;
    const bool backwards = turns == Turns::kBack && coordinate % 2 == 1;
    offset += stretch.stride * (backwards ? stretch.shards - 1 - digit : digit);
  }
  return offset;
}

}  // namespace

Placement first_devices(const Mesh& mesh) {
  Placement placement(mesh.shards());
  std::iota(placement.begin(), placement.end(), 0U);
  return placement;
}

Placement place_in_order(const Mesh& mesh,
                         const AxisOrder& order,
                         const std::vector<std::uint32_t>& dims,
                         Turns turns) {
  FreeDimensions dimensions(dims);
  std::array<std::vector<Stretch>, kAllAxes.size()> stretches;
  for (const Axis axis : order) {
    stretches[static_cast<std::size_t>(axis)] = dimensions.take(mesh.size(axis));
  }
  Placement placement(mesh.shards(), 0);
  for (std::uint32_t shard = 0; shard < mesh.shards(); ++shard) {
    for (const Axis axis : order) {
      placement[shard] +=
          offset_of(mesh.coordinate(shard, axis), stretches[static_cast<std::size_t>(axis)], turns);
    }
  }
  return placement;
}

std::vector<AxisOrder> axis_orders(const Mesh& mesh) {
  std::vector<AxisOrder> orders;
  AxisOrder order;
  for (const MeshAxis& each : mesh.axes()) {
    order.push_back(each.axis);
  }
  std::ranges::sort(order);
  do {
    orders.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

}  // namespace cairn::plan
