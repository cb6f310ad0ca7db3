#include "cairn/plan/shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"

namespace cairn::plan {

namespace {

using comm::Op;
using model::Operator;
using model::Tensor;
using model::TensorKind;

constexpr const char* kNoVersion = "a tensor without a version in this stage";

bool is_cut(Split split) {
  return split == Split::kRows || split == Split::kColumns || split == Split::kSteps;
}

// Order of changes: those that shrink a tensor first, those that grow it last.
int rank_of_change(Split from, Split to) {
  if (from == Split::kWhole) {
    return 0;
  }
  if (from == Split::kPartial) {
    return 1;
  }
  return to == Split::kWhole ? 3 : 2;
}

bool is_persistent(TensorKind kind) {
  return kind == TensorKind::kWeight || kind == TensorKind::kWeightGradient;
}

}  // namespace

Shards::Shards(const model::Graph& global,
               const std::vector<std::uint32_t>& stages,
               const std::vector<std::uint32_t>& passes,
               const Strategy& strategy,
               const Mesh& mesh)
    : global_(global),
      stages_(stages),
      passes_(passes),
      strategy_(strategy),
      mesh_(mesh),
      local_(global.tensors.size()),
      made_in_(global.tensors.size()),
      made_in_pass_(global.tensors.size(), 0),
      last_of_pass_(passes.empty() ? 1 : std::ranges::max(passes) + 1),
      tables_(global.tensors.size()) {
  plan_.mesh = mesh;
  plan_.graph.name = global.name;
  plan_.graph.layers = global.layers;
  for (std::size_t i = 0; i < global.operators.size(); ++i) {
    for (const Id<Tensor> output : global.operators[i].outputs) {
      if (!is_persistent(global.tensor(output).kind)) {
        made_in_[output.index()] = stages[i];
        made_in_pass_[output.index()] = passes[i];
      }
    }
  }
  for (const Operator& op : global.operators) {
    for (const auto* tensors : {&op.inputs, &op.outputs}) {
      for (const Id<Tensor> tensor : *tensors) {
        if (op.lookups) {
          tables_[tensor.index()] = op.lookups->tables;
        }
      }
    }
  }
  for (std::size_t t = 0; t < made_in_.size(); ++t) {  // views that nothing writes
    if (!made_in_[t]) {
      made_in_[t] = made_in_[global.tensors[t].storage.index()];
      made_in_pass_[t] = made_in_pass_[global.tensors[t].storage.index()];
    }
  }
}

void Shards::set_current_op(std::size_t op) {
  stage_ = stages_[op];
  pass_ = passes_[op];
  layer_ = global_.operators[op].layer;
  backward_ = global_.operators[op].in_backward_pass();
}

double Shards::share_of_samples(std::uint32_t shards) const {
  return std::ceil(global_.batch / shards) / global_.batch;
}

double Shards::share(TensorKind kind, const TensorLayout& layout) const {
  const std::uint32_t rows = mesh_.group_size(axes_with(layout, Split::kRows));
  const double columns = mesh_.group_size(axes_with(layout, Split::kColumns));
  const double steps = mesh_.group_size(axes_with(layout, Split::kSteps));
  return (is_persistent(kind) ? 1.0 / rows : share_of_samples(rows)) / (columns * steps);
}

double Shards::share(Id<Tensor> tensor, const TensorLayout& layout) const {
  const double even = share(global_.tensor(tensor).kind, layout);
  const double shards = mesh_.group_size(axes_with(layout, Split::kColumns));
  const std::optional<double> tables = tables_[tensor.index()];
  return tables ? even * shards * std::ceil(*tables / shards) / *tables : even;
}

std::optional<Shards::Version> Shards::first(Id<Tensor> tensor, std::uint32_t stage) const {
  const std::vector<Version>& versions = local_[tensor.index()];
  const auto found = std::ranges::find(versions, stage, &Version::stage);
  return found == versions.end() ? std::nullopt : std::optional(*found);
}

const Shards::Version* Shards::find(Id<Tensor> tensor, const TensorLayout& layout) const {
  const std::vector<Version>& versions = local_[tensor.index()];
  const auto found = std::ranges::find_if(versions, [&](const Version& version) {
    return version.stage == stage_ && version.layout == layout;
  });
  return found == versions.end() ? nullptr : &*found;
}

void Shards::add_version(Id<Tensor> tensor, const TensorLayout& layout, Id<Tensor> here) {
  local_[tensor.index()].push_back({layout, here, stage_});
}

Id<Tensor> Shards::declare(Id<Tensor> tensor, const TensorLayout& layout) {
  const TensorLayout wanted = normal(layout, mesh_);
  if (const Version* there = find(tensor, wanted)) {
    return there->tensor;
  }
  Tensor mine = global_.tensor(tensor);
  mine.elements *= share(tensor, wanted);
  const Id<Tensor> host = mine.storage;
  const Version* host_there = host == tensor ? nullptr : find(host, wanted);
  const Id<Tensor> here = host_there != nullptr
                              ? plan_.graph.add_in_place(std::move(mine), host_there->tensor)
                              : plan_.graph.add(std::move(mine));
  add_version(tensor, wanted, here);
  return here;
}

void Shards::add_copy(Id<Tensor> tensor, const TensorLayout& layout, Id<Tensor> here) {
  add_version(tensor, normal(layout, mesh_), here);
}

std::optional<TensorLayout> Shards::home_of(Id<Tensor> tensor) const {
  const std::uint32_t stage = made_in_[tensor.index()].value_or(stage_);
  for (const Id<Tensor> where : {tensor, global_.tensor(tensor).storage}) {
    if (const auto made = first(where, stage)) {
      return made->layout;
    }
  }
  return std::nullopt;
}

void Shards::settle(Id<Tensor> tensor, const TensorLayout& wanted) {
  if (first(tensor, stage_)) {
    return;
  }
  const std::optional<std::uint32_t> maker = made_in_[tensor.index()];
  if (maker && *maker != stage_) {
    fetch_from_stage(tensor, *maker, wanted);
  } else {
    declare(tensor, home_of(tensor).value_or(wanted));
  }
}

// In the layout it was computed in, with partial sums reduced first.
void Shards::fetch_from_stage(Id<Tensor> tensor, std::uint32_t maker, const TensorLayout& wanted) {
  const std::uint32_t here = std::exchange(stage_, maker);
  settle(tensor, wanted);
  const auto made = first(tensor, stage_);
  TensorLayout layout = must_have(made, kNoVersion).layout;
  for (const Axis axis : kStageAxes) {
    if (layout[axis] == Split::kPartial) {
      layout[axis] = wanted[axis];
    }
  }
  const Id<Tensor> sent = reshard_to(tensor, layout);
  stage_ = here;
  Exchange transfer{.name = global_.tensor(tensor).name,
                    .op = Op::kSendReceive,
                    .axes = Axis::kPipeline,
                    .stage = maker,
                    .to_stage = here,
                    .elements = exchanged_elements(plan_.graph.tensor(sent)),
                    .from = {sent},
                    .to = {declare(tensor, layout)}};
  if (backward_ && strategy_.send_gradients == SendGradients::kAtEnd) {
    transfer.after = last_of_pass_[made_in_pass_[tensor.index()]];
  }
  emit(std::move(transfer));
}

Id<Tensor> Shards::reshard_to(Id<Tensor> tensor, const TensorLayout& layout) {
  const TensorLayout wanted = normal(layout, mesh_);
  settle(tensor, wanted);
  if (const Version* there = find(tensor, wanted)) {
    return there->tensor;
  }
  const Version* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Version& version : local_[tensor.index()]) {
    if (version.stage != stage_) {
      continue;
    }
    const double traffic = cost(tensor, version.layout, wanted);
    if (traffic < least) {
      least = traffic;
      best = &version;
    }
  }
  ensure(best != nullptr, kNoVersion);
  return convert(tensor, *best, wanted, true);
}

Id<Tensor> Shards::reshard_uncached(Id<Tensor> tensor, const TensorLayout& layout) {
  const TensorLayout wanted = normal(layout, mesh_);
  settle(tensor, wanted);
  const auto made = first(tensor, stage_);
  const Version home = must_have(made, kNoVersion);
  return home.layout == wanted ? home.tensor : convert(tensor, home, wanted, false);
}

void Shards::reshard_early(Id<Tensor> tensor, const TensorLayout& layout) {
  high_priority_ = true;
  reshard_to(tensor, layout);
  high_priority_ = false;
}

double Shards::cost(Id<Tensor> tensor, TensorLayout from, const TensorLayout& to) const {
  double traffic = 0.0;
  for (int rank = 0; rank <= 3; ++rank) {
    for (const Axis axis : kStageAxes) {
      if (from[axis] != to[axis] && rank_of_change(from[axis], to[axis]) == rank) {
        const double before = share(tensor, from);
        from[axis] = to[axis];
        traffic += rank == 0 ? 0.0 : std::max(before, share(tensor, from));
      }
    }
  }
  return traffic;
}

Id<Tensor> Shards::convert(Id<Tensor> tensor, Version from, const TensorLayout& layout, bool keep) {
  for (int rank = 0; rank <= 3; ++rank) {
    for (const Axis axis : kStageAxes) {
      if (from.layout[axis] != layout[axis] &&
          rank_of_change(from.layout[axis], layout[axis]) == rank) {
        from = change(tensor, from, axis, layout[axis], keep);
      }
    }
  }
  return from.tensor;
}

Shards::Version Shards::change(
    Id<Tensor> tensor, const Version& from, Axis axis, Split to, bool keep) {
  const Split was = from.layout[axis];
  if (was == Split::kWhole) {
    ensure(is_cut(to), "a tensor cannot be made partial");
    return take_part(tensor, from, axis, to, keep);
  }
  const bool scatter =
      was == Split::kPartial && (to == Split::kRows || to == Split::kSteps ||
                                 strategy_.assumptions.partial_sum == PartialSum::kReduceScatter ||
                                 strategy_.parallelism == Parallelism::kColumnRow);
  const bool directly = to == Split::kWhole || scatter ||
                        (is_cut(was) && strategy_.assumptions.resharding == Resharding::kAllToAll);
  if (!directly) {
    const Version whole = change(tensor, from, axis, Split::kWhole, keep);
    return take_part(tensor, whole, axis, to, keep);
  }
  Version result{.layout = from.layout};
  result.layout[axis] = to;
  const Tensor& global = global_.tensor(tensor);
  if (keep) {
    result.tensor = declare(tensor, result.layout);
  } else {
    Tensor again = global;
    again.name += " again";
    again.elements *= share(tensor, result.layout);
    result.tensor = plan_.graph.add(std::move(again));
  }
  const Tensor& smaller = plan_.graph.tensor(from.tensor);
  const Tensor& larger = plan_.graph.tensor(result.tensor);
  Exchange exchange{.name = global.name,
                    .axes = axis,
                    .stage = stage_,
                    .to_stage = stage_,
                    .elements = std::max(exchanged_elements(smaller), exchanged_elements(larger)),
                    .from = {from.tensor},
                    .to = {result.tensor}};
  if (was == Split::kPartial) {
    exchange.op = to == Split::kWhole ? Op::kAllReduce : Op::kReduceScatter;
  } else {
    exchange.op = to == Split::kWhole ? Op::kAllGather : Op::kAllToAll;
  }
  emit(std::move(exchange));
  return result;
}

// A view of a device's slice.
Shards::Version Shards::take_part(
    Id<Tensor> tensor, const Version& from, Axis axis, Split to, bool keep) {
  Version part{.layout = from.layout};
  part.layout[axis] = to;
  if (const Version* there = find(tensor, part.layout)) {
    return *there;
  }
  Tensor mine = global_.tensor(tensor);
  mine.elements *= share(tensor, part.layout);
  part.tensor = plan_.graph.add_in_place(std::move(mine), from.tensor);
  if (keep) {
    add_version(tensor, part.layout, part.tensor);
  }
  return part;
}

void Shards::emit(Exchange exchange) {
  emit_for(pass_, std::move(exchange));
}

void Shards::emit_for(std::uint32_t pass, Exchange exchange) {
  exchange.layer = layer_;
  exchange.pass = pass;
  exchange.backward = backward_;
  exchange.high_priority = high_priority_;
  plan_.tasks.emplace_back(Id<Exchange>(plan_.exchanges.size()));
  plan_.exchanges.push_back(std::move(exchange));
}

void Shards::emit(Operator op) {
  const Id<Operator> id(plan_.graph.operators.size());
  plan_.tasks.emplace_back(id);
  last_of_pass_[pass_] = id;
  plan_.operator_stage.push_back(stage_);
  plan_.operator_pass.push_back(pass_);
  plan_.graph.operators.push_back(std::move(op));
}

double Shards::exchanged_elements(const Tensor& tensor) const {
  const Bytes precision = chip::element_bytes(strategy_.precision);
  return model::bytes_of(tensor, precision) / precision;
}

Plan Shards::take() {
  return std::move(plan_);
}

}  // namespace cairn::plan
