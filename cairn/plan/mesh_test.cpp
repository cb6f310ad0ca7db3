#include "cairn/plan/mesh.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace cairn::plan {
namespace {

Mesh any_mesh() {
  Mesh mesh;
  for (std::uint32_t& size : mesh.sizes) {
    size = *rc::gen::inRange(1U, 5U);
  }
  return mesh;
}

Axes any_axes() {
  Axes axes;
  for (const Axis axis : {Axis::kTensor, Axis::kTensorColumns, Axis::kData}) {
    if (*rc::gen::arbitrary<bool>()) {
      axes.add(axis);
    }
  }
  return axes;
}

TEST(Mesh, NumbersShardsFromTheFirstAxis) {
  const Mesh mesh{.sizes = {4, 2, 3, 2}};

  // k1 = 3, k2 = 1, d = 2, p = 1.
  const std::uint32_t shard = 3 + 4 * (1 + 2 * (2 + 3 * 1));
  EXPECT_EQ(mesh.shards(), 48U);
  EXPECT_EQ(mesh.shards_of_stage(), 24U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kTensor), 3U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kTensorColumns), 1U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kData), 2U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kStage), 1U);
}

TEST(Mesh, AGroupDiffersAlongItsAxesOnly) {
  const Mesh mesh{.sizes = {2, 3, 2, 2}};

  const auto groups = mesh.groups(Axis::kTensorColumns, 1);

  // Stage 1 begins with shard 12; along k2 shards are 2 apart.
  const std::vector<std::vector<std::uint32_t>> expected{
      {12, 14, 16}, {13, 15, 17}, {18, 20, 22}, {19, 21, 23}};
  EXPECT_EQ(groups, expected);
}

TEST(Mesh, AWholeStageIsOneGroup) {
  const Mesh mesh{.sizes = {2, 3, 2, 2}};

  EXPECT_EQ(mesh.groups(kWholeStage, 1).size(), 1U);
  EXPECT_EQ(mesh.group_size(kWholeStage), mesh.shards_of_stage());
}

RC_GTEST_PROP(MeshProperty, GroupsPartitionAStage, ()) {
  const Mesh mesh = any_mesh();
  const Axes axes = any_axes();
  const auto stage = *rc::gen::inRange(0U, mesh.stages());

  std::set<std::uint32_t> seen;
  for (const auto& group : mesh.groups(axes, stage)) {
    RC_ASSERT(group.size() == mesh.group_size(axes));
    RC_ASSERT(std::ranges::is_sorted(group));
    for (const std::uint32_t shard : group) {
      RC_ASSERT(mesh.coordinate(shard, Axis::kStage) == stage);
      RC_ASSERT(seen.insert(shard).second);
      for (const Axis axis : {Axis::kTensor, Axis::kTensorColumns, Axis::kData}) {
        RC_ASSERT(axes.has(axis) ||
                  mesh.coordinate(shard, axis) == mesh.coordinate(group.front(), axis));
      }
    }
  }
  RC_ASSERT(seen.size() == mesh.shards_of_stage());
}

RC_GTEST_PROP(MeshProperty, CoordinatesMakeUpTheShard, ()) {
  const Mesh mesh = any_mesh();
  const auto shard = *rc::gen::inRange(0U, mesh.shards());

  std::uint32_t sum = 0;
  for (const Axis axis : {Axis::kTensor, Axis::kTensorColumns, Axis::kData, Axis::kStage}) {
    RC_ASSERT(mesh.coordinate(shard, axis) < mesh.size(axis));
    sum += mesh.coordinate(shard, axis) * mesh.stride(axis);
  }
  RC_ASSERT(sum == shard);
}

}  // namespace
}  // namespace cairn::plan
