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
  Mesh mesh;
  for (std::uint32_t& size : mesh.sizes) {
    size = *rc::gen::inRange(1U, 7U);
  }
  return mesh;
}

AxisOrder any_order() {
  AxisOrder order = kMeshOrder;
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
      *rc::gen::element(Axis::kTensor, Axis::kTensorColumns, Axis::kData, Axis::kStage);
  Mesh mesh = Mesh::along(axis, size);
  // The rest goes along another axis.
  mesh.sizes[(static_cast<std::size_t>(axis) + 1) % kAxes] = product(dims) / size;
  AxisOrder order = kMeshOrder;
  std::swap(order[0], *std::ranges::find(order, axis));

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
  const Placement placement = place_in_order(Mesh::along(Axis::kData, 12), kMeshOrder, {4, 3});

  EXPECT_EQ(placement, (Placement{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11}));
}

// Three do not divide four: consecutive ranks, as for the axes after it.
TEST(PlaceInOrder, UnevenAxesTakeConsecutiveRanks) {
  const Mesh mesh{.sizes = {3, 1, 4, 1}};

  EXPECT_EQ(place_in_order(mesh, kMeshOrder, {4, 3}), first_devices(mesh));
}

TEST(AxisOrders, AreAllDistinctOrders) {
  EXPECT_EQ(axis_orders({.sizes = {2, 3, 4, 5}}).size(), 24U);
  EXPECT_EQ(axis_orders({.sizes = {2, 1, 4, 5}}).size(), 6U);
  EXPECT_EQ(axis_orders({.sizes = {1, 1, 4, 5}}).size(), 2U);
  EXPECT_EQ(axis_orders({.sizes = {1, 1, 4, 1}}).size(), 1U);
  EXPECT_EQ(axis_orders({.sizes = {1, 1, 1, 1}}).size(), 1U);
}

}  // namespace
}  // namespace cairn::plan
