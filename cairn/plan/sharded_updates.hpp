// Updates of which every replica does its part (Rajbhandari et al., ZeRO, 2020, stage 1): it has
// the sums of its part of the gradients, keeps states of that part only, and what it updated is
// gathered on all.
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

  // Emits `mine`, a replica's update of a weight that lies in `layout`, without its tensors and for
  // all elements, as what a device does for its part. Replicas of the weight are along `axes`.
  void update(const model::Operator& op, model::Operator mine, const Layout& layout, Axes axes);

  // Weights are gathered, of each stage and the same axes at once.
  void finish();

 private:
  // A replica's part of what a device has, where it is.
  Id<model::Tensor> part_of(Id<model::Tensor> here, double replicas);

  const model::Graph& global_;
  Mesh mesh_;
  Shards& shards_;
  std::map<std::pair<std::uint32_t, Axes>, Exchange> gathers_{};  // by stage and axes
};

}  // namespace cairn::plan
