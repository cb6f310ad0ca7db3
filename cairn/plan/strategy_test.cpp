#include "cairn/plan/strategy.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace cairn::plan {
namespace {

TEST(MakeMesh, AnOmittedSizeTakesTheRemainingDevices) {
  EXPECT_EQ(*make_mesh({}, 12), (Mesh{{Axis::kData, 12}}));
  EXPECT_EQ(*make_mesh({.stages = 3}, 12), (Mesh{{Axis::kData, 4}, {Axis::kPipeline, 3}}));
  EXPECT_EQ(
      *make_mesh({.parallelism = Parallelism::kRowColumn, .tensor_rows = 2, .tensor_columns = 3},
                 12),
      (Mesh{{Axis::kTensor, 2}, {Axis::kTensorColumns, 3}, {Axis::kData, 2}}));
  EXPECT_EQ(*make_mesh({.parallelism = Parallelism::kModel, .data = 2}, 12),
            (Mesh{{Axis::kTensor, 6}, {Axis::kData, 2}}));
  EXPECT_EQ(*make_mesh({.parallelism = Parallelism::kOneWeirdTrick}, 12),
            (Mesh{{Axis::kTensor, 12}}));
}

TEST(MakeMesh, SizesThatDoNotMultiplyToTheDevicesAreInfeasible) {
  const auto too_few = make_mesh({.data = 4}, 12);
  const auto no_part = make_mesh({.stages = 5}, 12);
  const auto too_many =
      make_mesh({.parallelism = Parallelism::kColumnRow, .tensor_rows = 24, .data = 0}, 12);

  for (const auto& mesh : {too_few, no_part, too_many}) {
    ASSERT_FALSE(mesh.feasible());
    EXPECT_EQ(mesh.reason().limit(), "strategy");
  }
  EXPECT_EQ(too_few.reason().detail, "d4-p1 uses 4 devices, the design has 12");
  EXPECT_EQ(no_part.reason().detail, "d1-p5 needs a multiple of 5 devices, the design has 12");
  EXPECT_EQ(too_many.reason().detail,
            "CR-24-d1-p1 needs a multiple of 24 devices, the design has 12");
}

// The products are 2^34 and 2^64: neither may wrap around to 4 devices, or to 0.
TEST(MakeMesh, SizesWhoseProductOverflowsAreInfeasible) {
  constexpr std::uint32_t kMany = 1U << 16U;
  const Strategy some{.parallelism = Parallelism::kRowColumn,
                      .tensor_rows = kMany,
                      .tensor_columns = kMany,
                      .data = 4};
  const Strategy all{.parallelism = Parallelism::kRowColumn,
                     .tensor_rows = kMany,
                     .tensor_columns = kMany,
                     .data = kMany,
                     .stages = kMany};

  for (const std::uint32_t devices : {1U, 4U, 16U, std::numeric_limits<std::uint32_t>::max()}) {
    EXPECT_FALSE(make_mesh(some, devices).feasible());
    EXPECT_FALSE(make_mesh(all, devices).feasible());
  }
}

TEST(MakeMesh, AxesUnusedByTheParallelismAreInfeasible) {
  EXPECT_FALSE(make_mesh({.tensor_rows = 2, .data = 4}, 8).feasible());
  EXPECT_FALSE(
      make_mesh({.parallelism = Parallelism::kColumnRow, .tensor_rows = 2, .tensor_columns = 4}, 8)
          .feasible());
}

TEST(TotalBatch, PerDeviceIsPerReplica) {
  const auto total = [](Strategy strategy, std::uint32_t devices) {
    strategy.batch = 64.0;
    strategy.batch_per = BatchPer::kDevice;
    return total_batch(strategy, devices);
  };

  EXPECT_EQ(total({}, 8), 512.0);
  EXPECT_EQ(total({.parallelism = Parallelism::kModel}, 8), 64.0);
  EXPECT_EQ(total({.parallelism = Parallelism::kOneWeirdTrick}, 8), 512.0);
  EXPECT_EQ(total({.parallelism = Parallelism::kColumnRow, .tensor_rows = 4}, 8), 128.0);
  EXPECT_EQ(total({.stages = 4}, 8), 128.0);
}

TEST(MicroBatch, DividesTheSamplesOfAllDevices) {
  EXPECT_EQ(micro_batch({.micro_batches = 4, .batch = 512.0}, 8), 128.0);
}

std::optional<Infeasible> batch_on_eight(Strategy strategy, double batch) {
  strategy.batch = batch;
  return check_batch(strategy, *make_mesh(strategy, 8));
}

TEST(CheckBatch, SamplesThatDoNotDivideOverReplicasNameTheNearestThatDo) {
  const auto uneven = batch_on_eight({}, 250.0);

  ASSERT_TRUE(uneven);
  EXPECT_EQ(uneven->limit(), "batch");
  EXPECT_EQ(uneven->detail, "250 samples do not divide over 8 replicas (use 248 or 256)");
  EXPECT_EQ(batch_on_eight({}, 3.0)->detail, "3 samples do not divide over 8 replicas (use 8)");
  EXPECT_FALSE(batch_on_eight({}, 248.0));
  EXPECT_FALSE(batch_on_eight({.parallelism = Parallelism::kModel}, 250.0));
  EXPECT_TRUE(batch_on_eight({.parallelism = Parallelism::kOneWeirdTrick}, 250.0));
  EXPECT_FALSE(batch_on_eight({.batch_per = BatchPer::kDevice}, 250.0));
}

TEST(CheckBatch, SamplesThatDoNotDivideIntoMicroBatchesNameTheNearestThatDo) {
  const auto uneven = batch_on_eight({.stages = 8, .micro_batches = 33}, 1024.0);

  ASSERT_TRUE(uneven);
  EXPECT_EQ(uneven->limit(), "micro_batches");
  EXPECT_EQ(uneven->detail, "1024 samples do not divide into 33 micro-batches (use 32 or 64)");
  EXPECT_FALSE(batch_on_eight({.stages = 8, .micro_batches = 32}, 1024.0));

  // 1024 samples divide into 32 micro-batches, but not the 128 of each of 8 replicas into 256.
  EXPECT_EQ(batch_on_eight({.micro_batches = 256}, 1024.0)->detail,
            "128 samples of each replica do not divide into 256 micro-batches (use 128)");
}

// Four stages take groups of four micro-batches through each of their virtual stages.
TEST(CheckBatch, InterleavedMicroBatchesComeInFullGroups) {
  Strategy strategy{.data = 1, .stages = 4, .virtual_stages = 2, .micro_batches = 6, .batch = 12.0};
  const Mesh mesh{{Axis::kPipeline, 4}};

  EXPECT_EQ(check_batch(strategy, mesh)->detail,
            "6 are not a multiple of the 4 stages of an interleaved pipeline (use 4 or 8)");
  strategy.pipeline = PipelineOrder::kAllForwardFirst;
  EXPECT_FALSE(check_batch(strategy, mesh));
}

}  // namespace
}  // namespace cairn::plan
