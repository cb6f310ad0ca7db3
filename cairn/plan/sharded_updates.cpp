#include "cairn/plan/sharded_updates.hpp"

#include <utility>

namespace cairn::plan {

using model::Operator;
using model::Tensor;

Id<Tensor> ShardedUpdates::part_of(Id<Tensor> here, double replicas) {
  Tensor part = shards_.graph().tensor(here);
  part.elements /= replicas;
  return shards_.graph().add_in_place(std::move(part), here);
}

void ShardedUpdates::update(const Operator& op,
                            Operator mine,
                            const TensorLayout& layout,
                            Axes axes) {
  const double replicas = mesh_.group_size(axes);
  const Id<Tensor> gradient = op.inputs.front();
  const Id<Tensor> weight = op.outputs.front();
  const Id<Tensor> all = shards_.reshard_to(weight, layout);
  std::map<Id<Tensor>, Id<Tensor>> parts{
      {gradient, part_of(shards_.reshard_to(gradient, layout), replicas)},
      {weight, part_of(all, replicas)}};
  const auto part = [&](Id<Tensor> tensor) {
    const auto [found, is_new] = parts.try_emplace(tensor);
    if (is_new) {  // an optimizer state
      Tensor state = global_.tensor(tensor);
      state.elements *= shards_.share(state.kind, layout) / replicas;
      found->second = shards_.graph().add(std::move(state));
    }
    return found->second;
  };
  mine.vector_ops /= replicas;
  for (const Id<Tensor> input : op.inputs) {
    mine.inputs.push_back(part(input));
  }
  for (const Id<Tensor> output : op.outputs) {
    mine.outputs.push_back(part(output));
  }
  shards_.emit(std::move(mine));
  Exchange& gather = gathers_[{shards_.stage(), axes}];
  gather.name += (gather.name.empty() ? "" : " + ") + global_.tensor(weight).name;
  gather.elements += shards_.exchanged_elements(shards_.graph().tensor(all));
  gather.from.push_back(parts.at(weight));
  gather.to.push_back(all);
}

void ShardedUpdates::finish() {
  for (auto& [where, gather] : gathers_) {
    const auto& [stage, axes] = where;
    gather.op = comm::Op::kAllGather;
    gather.axes = axes;
    gather.stage = gather.to_stage = stage;
    shards_.emit(std::move(gather));
  }
  gathers_.clear();
}

}  // namespace cairn::plan
