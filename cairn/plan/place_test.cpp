#include "cairn/plan/place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace cairn::plan {
namespace {

using Dims = std::vector<std::uint32_t>;

Mesh any_mesh() {
  std::vector<MeshAxis> axes;
  for (const Axis axis : kAllAxes) {
    axes.push_back({axis, *rc::gen::inRange(1U, 7U)});
  }
  return Mesh(axes);
}

AxisOrder any_order() {
  AxisOrder order(kAllAxes.begin(), kAllAxes.end());
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  return order;
}

std::uint32_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), 1U, std::multiplies<>());
}

// On a mesh topology.
std::uint32_t hops(std::uint32_t a, std::uint32_t b, const Dims& dims) {
  std::uint32_t sum = 0;
  for (const std::uint32_t width : dims) {
    sum += std::max(a % width, b % width) - std::min(a % width, b % width);
    a /= width;
    b /= width;
  }
  return sum;
}

// For any dimensions with enough devices; of more, the first are used.
RC_GTEST_PROP(PlaceInOrderProperty, EveryShardHasADeviceOfItsOwn, ()) {
  const Mesh mesh = any_mesh();
  Dims dims =
      *rc::gen::container<Dims>(*rc::gen::inRange<std::size_t>(0, 4), rc::gen::inRange(1U, 9U));
  const std::uint32_t before = product(dims);
  dims.push_back((mesh.shards() + before - 1) / before);

  const Placement placement = place_in_order(mesh, any_order(), dims);

  const std::set<std::uint32_t> devices(placement.begin(), placement.end());
  RC_ASSERT(placement.size() == mesh.shards());
  RC_ASSERT(devices.size() == mesh.shards());
  RC_ASSERT(*devices.rbegin() == mesh.shards() - 1);
}

// The first axis, if it fills dimensions or ends within one evenly.
RC_GTEST_PROP(PlaceInOrderProperty, ShardsOfTheFirstAxisAreNeighbours, ()) {
  const Dims dims = *rc::gen::container<Dims>(3, rc::gen::inRange(1U, 6U));
  const auto filled = *rc::gen::inRange<std::size_t>(0, 3);
  std::uint32_t size = 1;
  for (std::size_t d = 0; d < filled; ++d) {
    size *= dims[d];
  }
  std::vector<std::uint32_t> parts;
  for (std::uint32_t part = 1; part <= dims[filled]; ++part) {
    if (dims[filled] % part == 0) {
      parts.push_back(part);
    }
  }
  size *= *rc::gen::elementOf(parts);
  const Axis axis =
      *rc::gen::element(Axis::kTensor, Axis::kTensorColumns, Axis::kData, Axis::kPipeline);
  const Axis other = axis == Axis::kData ? Axis::kTensor : Axis::kData;
  const MeshAxis rest{other, product(dims) / size};
  const Mesh mesh = axis == Axis::kPipeline ? Mesh{rest, {axis, size}} : Mesh{{axis, size}, rest};
  const AxisOrder order{axis, other};

  const Placement placement = place_in_order(mesh, order, dims);

  const std::uint32_t stride = mesh.stride(axis);
  for (std::uint32_t shard = 0; shard < mesh.shards(); ++shard) {
    if (mesh.coordinate(shard, axis) + 1 < size) {
      RC_ASSERT(hops(placement[shard], placement[shard + stride], dims) == 1U);
    }
  }
}

// 12 shards on 4 x 3: snake order.
TEST(PlaceInOrder, AnAxisTurnsBackAtTheEndOfADimension) {
  const Placement placement = place_in_order({{Axis::kData, 12}}, {Axis::kData}, {4, 3});

  EXPECT_EQ(placement, (Placement{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11}));
}

// Three do not divide four: consecutive ranks, as for the axes after it.
TEST(PlaceInOrder, UnevenAxesTakeConsecutiveRanks) {
  const Mesh mesh{{Axis::kTensor, 3}, {Axis::kData, 4}};

  EXPECT_EQ(place_in_order(mesh, {Axis::kTensor, Axis::kData}, {4, 3}), first_devices(mesh));
}

TEST(AxisOrders, AreAllDistinctOrders) {
  EXPECT_EQ(
      axis_orders(
          {{Axis::kTensor, 2}, {Axis::kTensorColumns, 3}, {Axis::kData, 4}, {Axis::kPipeline, 5}})
          .size(),
      24U);
  EXPECT_EQ(axis_orders({{Axis::kTensor, 2}, {Axis::kData, 4}, {Axis::kPipeline, 5}}).size(), 6U);
  EXPECT_EQ(axis_orders({{Axis::kData, 4}, {Axis::kPipeline, 5}}).size(), 2U);
  EXPECT_EQ(axis_orders({{Axis::kData, 4}}).size(), 1U);
  EXPECT_EQ(axis_orders({}).size(), 1U);
}

}  // namespace
}  // namespace cairn::plan
