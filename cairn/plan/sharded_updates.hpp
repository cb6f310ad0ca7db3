// Updates of which every replica does its part (Rajbhandari et al., ZeRO, 2020, stage 1): it has
// the sums of its part of the gradients, keeps states of that part only, and what it updated is
// gathered on all.
#pragma once

#include <cstdint>
#include <map>

#include "cairn/plan/shards.hpp"

namespace cairn::plan {

class ShardedUpdates {
 public:
  // Both references must outlive this.
  ShardedUpdates(const model::Graph& global, const Mesh& mesh, Shards& shards)
      : global_(global), replicas_(mesh.size(Axis::kData)), shards_(shards) {}

  // Emits `mine`, a replica's update of a weight that lies in `layout`, without its tensors and for
  // all elements, as what a device does for its part.
  void update(const model::Operator& op, model::Operator mine, const Layout& layout);

  // Weights are gathered, of each stage at once.
  void finish();

 private:
  // A replica's part of what a device has, where it is.
  Id<model::Tensor> part_of(Id<model::Tensor> here);

  const model::Graph& global_;
  double replicas_;
  Shards& shards_;
  std::map<std::uint32_t, Exchange> gathers_{};  // by stage
};

}  // namespace cairn::plan
