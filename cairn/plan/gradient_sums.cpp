#include "cairn/plan/gradient_sums.hpp"

#include <algorithm>
#include <utility>

namespace cairn::plan {

using model::LayerClass;
using model::Operator;
using model::OperatorKind;
using model::Tensor;

GradientSums::GradientSums(const model::Graph& global, const Strategy& strategy, Shards& shards)
    : global_(global),
      strategy_(strategy),
      shards_(shards),
      last_use_(global.tensors.size(), 0),
      uses_(global.tensors.size(), 0) {
  for (const Operator& op : global.operators) {
    if (op.pass == model::Pass::kUpdate && !op.lookups) {
      weight_of_.emplace(op.inputs.front(), op.outputs.front());
    }
  }
  for (std::size_t i = 0; i < global.operators.size(); ++i) {
    for (const Id<Tensor> output : global.operators[i].outputs) {
      last_use_[output.index()] = i;
      ++uses_[output.index()];
    }
  }
}

void GradientSums::add(const Operator& op, Operator mine, const TensorLayout& layout) {
  const Id<Tensor> gradient = op.outputs.front();
  const bool partial = !axes_with(layout, Split::kPartial).empty();
  const bool every_step = partial && op.properties().layer == LayerClass::kRecurrent &&
                          uses_[gradient.index()] > 1 &&
                          strategy_.assumptions.recurrent_sync == RecurrentSync::kEveryStep;
  const Id<Tensor> here =
      every_step ? next_buffer(gradient, layout) : shards_.declare(gradient, layout);
  // Accumulates if an earlier use of the weight has written the gradient.
  const bool read = strategy_.accumulation == Accumulation::kReadAndWrite;
  if (read && !every_step && std::ranges::find(op.inputs, gradient) != op.inputs.end()) {
    mine.inputs.push_back(here);
  }
  mine.outputs = {here};
  if (!every_step && strategy_.accumulation == Accumulation::kOwnKernel) {
    accumulate_in_own_kernel(std::move(mine), here);
  } else {
    shards_.emit(std::move(mine));
  }
  if (every_step) {
    reduce(gradient, here, layout, true);
  } else {
    finish(gradient, layout);
  }
}

// Writes dW in the training precision, then adds it to the sum in the sum's precision.
void GradientSums::accumulate_in_own_kernel(Operator mine, Id<Tensor> sum) {
  const double elements = shards_.graph().tensor(sum).elements;
  const Id<Tensor> added = shards_.graph().add(
      {.name = mine.name + ".added", .kind = model::TensorKind::kGradient, .elements = elements});
  mine.outputs = {added};
  Operator adds{.name = mine.name,
                .kind = OperatorKind::kAdd,
                .pass = mine.pass,
                .layer = mine.layer,
                .vector_ops = elements,
                .inputs = {added, sum},
                .outputs = {sum}};
  shards_.emit(std::move(mine));
  shards_.emit(std::move(adds));
}

void GradientSums::finish(Id<Tensor> gradient, const TensorLayout& layout) {
  if (last_use_[gradient.index()] == current_ && !axes_with(layout, Split::kPartial).empty()) {
    reduce(gradient, shards_.declare(gradient, layout), layout, false);
  }
}

Axes GradientSums::replicas_along(Id<Tensor> gradient, Axes axes) const {
  Axes replicas;
  const auto weight = weight_of_.find(gradient);
  const auto home = weight == weight_of_.end() ? std::nullopt : shards_.home_of(weight->second);
  for (const Axis axis : kStageAxes) {
    if (home && axes.has(axis) && (*home)[axis] == Split::kWhole) {
      replicas.add(axis);
    }
  }
  return replicas;
}

void GradientSums::reject_scatter(Id<Tensor> gradient, const char* why) {
  if (!scatter_infeasible_) {
    scatter_infeasible_ = Infeasible{
        Lack::kZero,
        global_.tensor(gradient).name + " cannot be reduce-scattered over replicas: " + why};
  }
}

// In place; `now`: without waiting for a bucket to fill.
void GradientSums::reduce(Id<Tensor> gradient,
                          Id<Tensor> here,
                          const TensorLayout& layout,
                          bool now) {
  const Axes axes = axes_with(layout, Split::kPartial);
  const Axes replicas = strategy_.zero == 1 ? replicas_along(gradient, axes) : Axes();
  const bool scatters = !now && !replicas.empty() && replicas == axes;
  if (!buckets_.empty() && buckets_.front().stage != shards_.stage()) {
    close_buckets();
  }
  Exchange alone;
  Exchange* bucket = &alone;
  if (!now) {
    TensorLayout whole = layout;
    for (const Axis axis : kStageAxes) {
      whole[axis] = axes.has(axis) ? Split::kWhole : whole[axis];
    }
    shards_.add_copy(gradient, whole, here);
    const auto found = std::ranges::find_if(buckets_, [&](const Exchange& each) {
      return each.axes == axes && (each.op == comm::Op::kReduceScatter) == scatters;
    });
    bucket = found != buckets_.end() ? &*found : &buckets_.emplace_back();
  }
  bucket->axes = axes;
  bucket->pass = shards_.pass();
  bucket->stage = bucket->to_stage = shards_.stage();
  bucket->elements += shards_.exchanged_elements(shards_.graph().tensor(here));
  bucket->name += (bucket->name.empty() ? "" : " + ") + global_.tensor(gradient).name;
  bucket->from.push_back(here);
  bucket->to.push_back(here);
  if (!scatters && !replicas.empty()) {
    reject_scatter(gradient,
                   now ? "it is reduced at every step (use recurrent_sync: once)"
                       : "it is also reduced over devices with other parts of the weight");
  }
  if (now) {
    emit(std::move(alone));
    return;
  }
  if (scatters) {
    bucket->op = comm::Op::kReduceScatter;
    scattered_.emplace(gradient, axes);
  }
  if (chip::element_bytes(strategy_.precision) * bucket->elements >= strategy_.bucket) {
    release(std::move(*bucket));
    buckets_.erase(buckets_.begin() + (bucket - buckets_.data()));
  }
}

void GradientSums::emit(Exchange bucket) {
  bucket.blocking = strategy_.gradient_sync == GradientSync::kBlocking;
  bucket.contention_free = strategy_.gradient_sync == GradientSync::kContentionFree;
  const std::uint32_t pass = bucket.pass;
  shards_.emit_for(pass, std::move(bucket));
}

void GradientSums::release(Exchange bucket) {
  if (defers_to_end_of_stage()) {
    blocking_.push_back(std::move(bucket));
  } else {
    emit(std::move(bucket));
  }
}

void GradientSums::close_buckets() {
  for (Exchange& bucket : std::exchange(buckets_, {})) {
    release(std::move(bucket));
  }
}

void GradientSums::flush() {
  close_buckets();
  for (Exchange& bucket : std::exchange(blocking_, {})) {
    emit(std::move(bucket));
  }
}

void GradientSums::end_stage() {
  if (!defers_to_end_of_stage()) {
    return;
  }
  close_buckets();
  for (Exchange& bucket : std::exchange(blocking_, {})) {
    if (bucket.stage == shards_.stage()) {
      bucket.pass = shards_.pass();
      bucket.after = shards_.last_of_pass();
      emit(std::move(bucket));
    } else {
      blocking_.push_back(std::move(bucket));
    }
  }
}

Id<Tensor> GradientSums::next_buffer(Id<Tensor> gradient, const TensorLayout& layout) {
  double_buffers_.resize(global_.tensors.size());
  DoubleBuffer& pair = double_buffers_[gradient.index()];
  auto& buffer = pair.buffer[pair.filled % 2];
  ++pair.filled;
  if (!buffer) {
    Tensor mine = global_.tensor(gradient);
    mine.elements *= shards_.share(mine.kind, layout);
    buffer = shards_.graph().add(std::move(mine));
  }
  return *buffer;
}

std::vector<Id<Tensor>> GradientSums::buffers(Id<Tensor> gradient) const {
  std::vector<Id<Tensor>> buffers;
  if (!double_buffers_.empty()) {
    for (const auto& buffer : double_buffers_[gradient.index()].buffer) {
      if (buffer) {
        buffers.push_back(*buffer);
      }
    }
  }
  return buffers;
}

}  // namespace cairn::plan
