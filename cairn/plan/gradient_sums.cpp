#include "cairn/plan/gradient_sums.hpp"

#include <algorithm>
#include <utility>

namespace cairn::plan {

using model::Operator;
using model::OperatorKind;
using model::Tensor;

GradientSums::GradientSums(const model::Graph& global, const Strategy& strategy, Shards& shards)
    : global_(global),
      strategy_(strategy),
      shards_(shards),
      last_use_(global.tensors.size(), 0),
      uses_(global.tensors.size(), 0) {
  for (std::size_t i = 0; i < global.operators.size(); ++i) {
    for (const Id<Tensor> output : global.operators[i].outputs) {
      last_use_[output.index()] = i;
      ++uses_[output.index()];
    }
  }
}

void GradientSums::add(const Operator& op, Operator mine, const Layout& layout) {
  const Id<Tensor> gradient = op.outputs.front();
  const bool partial = !axes_with(layout, Split::kPartial).empty();
  const bool every_step = partial && op.kind == OperatorKind::kRecurrent &&
                          uses_[gradient.index()] > 1 &&
                          strategy_.recurrent_sync == RecurrentSync::kEveryStep;
  const Id<Tensor> here =
      every_step ? by_turns(gradient, layout) : shards_.declare(gradient, layout);
  // Reads it too if an earlier use of the weight has written there.
  const bool read = strategy_.accumulation == Accumulation::kReadAndWrite;
  if (read && !every_step && std::ranges::find(op.inputs, gradient) != op.inputs.end()) {
    mine.inputs.push_back(here);
  }
  mine.outputs = {here};
  shards_.emit(std::move(mine));
  if (every_step) {
    sum(gradient, here, layout, true);
  } else {
    finish(gradient, layout);
  }
}

void GradientSums::finish(Id<Tensor> gradient, const Layout& layout) {
  if (last_use_[gradient.index()] == current_ && !axes_with(layout, Split::kPartial).empty()) {
    sum(gradient, shards_.declare(gradient, layout), layout, false);
  }
}

// In place; small ones wait for others.
void GradientSums::sum(Id<Tensor> gradient, Id<Tensor> here, const Layout& layout, bool now) {
  const Axes axes = axes_with(layout, Split::kPartial);
  if (!bucket_.from.empty() && (bucket_.axes != axes || bucket_.stage != shards_.stage())) {
    flush();
  }
  if (!now) {
    Layout whole = layout;
    for (const Axis axis : kStageAxes) {
      whole[axis] = axes.has(axis) ? Split::kWhole : whole[axis];
    }
    shards_.also(gradient, whole, here);
  }
  bucket_.axes = axes;
  bucket_.stage = bucket_.to_stage = shards_.stage();
  bucket_.elements += shards_.graph().tensor(here).elements;
  bucket_.name += (bucket_.name.empty() ? "" : " + ") + global_.tensor(gradient).name;
  bucket_.from.push_back(here);
  bucket_.to.push_back(here);
  if (now || chip::element_bytes(strategy_.precision) * bucket_.elements >= strategy_.bucket) {
    flush();
  }
}

void GradientSums::flush() {
  if (bucket_.from.empty()) {
    return;
  }
  bucket_.op = comm::Op::kAllReduce;
  bucket_.blocking = strategy_.gradient_sync == GradientSync::kBlocking;
  bucket_.unshared = strategy_.gradient_sync == GradientSync::kUnshared;
  shards_.emit(std::exchange(bucket_, {}));
}

Id<Tensor> GradientSums::by_turns(Id<Tensor> gradient, const Layout& layout) {
  turns_.resize(global_.tensors.size());
  Turns& turns = turns_[gradient.index()];
  auto& buffer = turns.buffer[turns.filled % 2];
  ++turns.filled;
  if (!buffer) {
    Tensor mine = global_.tensor(gradient);
    mine.elements *= shards_.share(mine.kind, layout);
    buffer = shards_.graph().add(std::move(mine));
  }
  return *buffer;
}

std::vector<Id<Tensor>> GradientSums::buffers(Id<Tensor> gradient) const {
  std::vector<Id<Tensor>> buffers;
  if (!turns_.empty()) {
    for (const auto& buffer : turns_[gradient.index()].buffer) {
      if (buffer) {
        buffers.push_back(*buffer);
      }
    }
  }
  return buffers;
}

}  // namespace cairn::plan
