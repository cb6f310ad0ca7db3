// ZeRO stage 1 (Rajbhandari et al., 2020): every replica has its shard of the reduced gradients,
// keeps optimizer states of that shard only, and the updated weights are all-gathered.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "cairn/plan/shards.hpp"

namespace cairn::plan {

class ShardedUpdates {
 public:
  // Both references must outlive this.
  ShardedUpdates(const model::Graph& global, const Mesh& mesh, Shards& shards)
      : global_(global), mesh_(mesh), shards_(shards) {}

  // Emits a device's shard of `mine`, the update of all elements of a weight in `layout`, without
  // its tensors. Replicas of the weight are along `axes`.
  void update(const model::Operator& op,
              model::Operator mine,
              const TensorLayout& layout,
              Axes axes);

  // Emits the all-gathers of weights, one per stage and set of axes.
  void finish();

 private:
  // A view of a replica's shard of the tensor.
  Id<model::Tensor> part_of(Id<model::Tensor> here, double replicas);

  const model::Graph& global_;
  Mesh mesh_;
  Shards& shards_;
  std::map<std::pair<std::uint32_t, Axes>, Exchange> gathers_{};  // by stage and axes
};

}  // namespace cairn::plan
