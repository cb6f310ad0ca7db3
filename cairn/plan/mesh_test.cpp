#include "cairn/plan/mesh.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cairn/base/failure.hpp"

namespace cairn::plan {
namespace {

Mesh any_mesh() {
  std::vector<MeshAxis> axes;
  for (const Axis axis : kAllAxes) {
    axes.push_back({axis, *rc::gen::inRange(1U, 5U)});
  }
  return Mesh(axes);
}

Axes any_axes() {
  Axes axes;
  for (const Axis axis : kStageAxes) {
    if (*rc::gen::arbitrary<bool>()) {
      axes.add(axis);
    }
  }
  return axes;
}

TEST(Mesh, NumbersShardsFromTheFirstAxis) {
  const Mesh mesh{
      {Axis::kTensor, 4}, {Axis::kTensorColumns, 2}, {Axis::kData, 3}, {Axis::kPipeline, 2}};

  // k1 = 3, k2 = 1, d = 2, p = 1.
  const std::uint32_t shard = 3 + 4 * (1 + 2 * (2 + 3 * 1));
  EXPECT_EQ(mesh.shards(), 48U);
  EXPECT_EQ(mesh.shards_of_stage(), 24U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kTensor), 3U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kTensorColumns), 1U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kData), 2U);
  EXPECT_EQ(mesh.coordinate(shard, Axis::kPipeline), 1U);
}

TEST(Mesh, AGroupDiffersAlongItsAxesOnly) {
  const Mesh mesh{
      {Axis::kTensor, 2}, {Axis::kTensorColumns, 3}, {Axis::kData, 2}, {Axis::kPipeline, 2}};

  const auto groups = mesh.groups(Axis::kTensorColumns, 1);

  // Stage 1 begins with shard 12; along k2 shards are 2 apart.
  const std::vector<std::vector<std::uint32_t>> expected{
      {12, 14, 16}, {13, 15, 17}, {18, 20, 22}, {19, 21, 23}};
  EXPECT_EQ(groups, expected);
}

TEST(Mesh, AWholeStageIsOneGroup) {
  const Mesh mesh{
      {Axis::kTensor, 2}, {Axis::kTensorColumns, 3}, {Axis::kData, 2}, {Axis::kPipeline, 2}};

  EXPECT_EQ(mesh.groups(kWholeStage, 1).size(), 1U);
  EXPECT_EQ(mesh.group_size(kWholeStage), mesh.shards_of_stage());
}

TEST(Mesh, AxesMayBeInAnotherOrder) {
  const Mesh mesh{{Axis::kData, 3}, {Axis::kTensor, 2}, {Axis::kPipeline, 2}};

  // Replicas are neighbours.
  EXPECT_EQ(mesh.stride(Axis::kData), 1U);
  EXPECT_EQ(mesh.stride(Axis::kTensor), 3U);
  EXPECT_EQ(mesh.groups(Axis::kTensor, 1),
            (std::vector<std::vector<std::uint32_t>>{{6, 9}, {7, 10}, {8, 11}}));
}

// As experts need: 2 x 3 shards of dense layers are 6 x 1 of others, in the same stages.
TEST(Mesh, ASecondMeshMayCoverTheSameShards) {
  const Mesh dense{{Axis::kTensor, 2}, {Axis::kData, 3}, {Axis::kPipeline, 2}};
  const Mesh other{{Axis::kTensorColumns, 6}, {Axis::kPipeline, 2}};

  EXPECT_EQ(other.shards_of_stage(), dense.shards_of_stage());
  EXPECT_EQ(other.groups(Axis::kTensorColumns, 1), dense.groups(kWholeStage, 1));
}

TEST(Mesh, AxesOfSizeOneNeedNotBeListed) {
  EXPECT_EQ((Mesh{{Axis::kTensor, 1}, {Axis::kData, 4}}), (Mesh{{Axis::kData, 4}}));
  EXPECT_EQ(Mesh().shards(), 1U);
}

TEST(Mesh, AnAxisIsListedOnceAndThePipelineLast) {
  EXPECT_THROW((Mesh{{Axis::kData, 2}, {Axis::kData, 3}}), Bug);
  EXPECT_THROW((Mesh{{Axis::kPipeline, 2}, {Axis::kData, 3}}), Bug);
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
      RC_ASSERT(mesh.coordinate(shard, Axis::kPipeline) == stage);
      RC_ASSERT(seen.insert(shard).second);
      for (const Axis axis : kStageAxes) {
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
  for (const Axis axis : kAllAxes) {
    RC_ASSERT(mesh.coordinate(shard, axis) < mesh.size(axis));
    sum += mesh.coordinate(shard, axis) * mesh.stride(axis);
  }
  RC_ASSERT(sum == shard);
}

}  // namespace
}  // namespace cairn::plan
