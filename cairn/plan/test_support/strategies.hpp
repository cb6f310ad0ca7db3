// Strategies for property tests.
#pragma once

#include <rapidcheck.h>

#include <cstdint>

#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// Any sizes of up to three shards along each axis.
inline Strategy any_strategy() {
  const auto size = [] { return static_cast<std::uint32_t>(*rc::gen::inRange(1, 4)); };
  Strategy strategy{.parallelism = *rc::gen::element(Parallelism::kData,
                                                     Parallelism::kModel,
                                                     Parallelism::kOneWeirdTrick,
                                                     Parallelism::kHybrid,
                                                     Parallelism::kRowColumn,
                                                     Parallelism::kColumnRow,
                                                     Parallelism::kTensor),
                    .tensor_rows = size(),
                    .tensor_columns = 1,
                    .data = size(),
                    .stages = size(),
                    .micro_batches = size()};
  strategy.pipeline =
      *rc::gen::element(PipelineOrder::kOneForwardOneBackward, PipelineOrder::kAllForwardFirst);
  strategy.virtual_stages = strategy.stages > 1 ? *rc::gen::inRange(1U, 3U) : 1;
  if (strategy.virtual_stages > 1) {
    strategy.micro_batches *= strategy.stages;  // interleaved
  }
  strategy.assumptions.resharding = *rc::gen::element(Resharding::kAllToAll, Resharding::kGather);
  strategy.bucket = Bytes(*rc::gen::element(0.0, 1e6, 1e9));
  strategy.assumptions.recurrent_sync =
      *rc::gen::element(RecurrentSync::kEveryStep, RecurrentSync::kOnce);
  strategy.assumptions.model_parallel_input = *rc::gen::element(
      ModelParallelInput::kSlice, ModelParallelInput::kGathered, ModelParallelInput::kRegather);
  strategy.assumptions.partial_sum =
      *rc::gen::element(PartialSum::kAllReduce, PartialSum::kReduceScatter);
  if (strategy.parallelism == Parallelism::kData) {
    strategy.tensor_rows = 1;
  }
  if (strategy.parallelism == Parallelism::kRowColumn) {
    strategy.tensor_columns = size();
  }
  return strategy;
}

inline std::uint32_t devices_of(const Strategy& strategy) {
  return strategy.tensor_rows * strategy.tensor_columns * strategy.data * strategy.stages;
}

}  // namespace cairn::plan
