#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {

namespace {

using comm::Op;
using model::Contraction;
using model::Graph;
using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::Tensor;
using model::TensorKind;

enum class Layout : std::uint8_t { kBatch, kChannels, kWhole, kPartial };

constexpr std::size_t kLayouts = 4;

constexpr const char* kNoContraction = "an operator without the contraction of its kind";

class Parallelization {
 public:
  Parallelization(const Graph& graph, const Strategy& strategy, std::uint32_t devices)
      : global_(graph), strategy_(strategy), devices_(devices), local_(graph.tensors.size()) {
    plan_.devices = devices;
    plan_.graph.name = graph.name;
    plan_.graph.layers = graph.layers;
    // The device with the most samples sets the pace.
    plan_.graph.batch = std::ceil(graph.batch / devices);
    batch_share_ = plan_.graph.batch / graph.batch;
    find_last_uses_of_weights();
  }

  Plan run() {
    for (std::size_t i = 0; i < global_.operators.size(); ++i) {
      current_ = i;
      const Operator& op = global_.operators[i];
      if (op.pass == Pass::kUpdate) {
        flush_bucket();
        update(op);
      } else if (op.contraction || op.kind == OperatorKind::kEmbedding) {
        op.pass == Pass::kForward        ? forward(op)
        : op.pass == Pass::kDataGradient ? data_gradient(op)
                                         : weight_gradient(op);
      } else {
        without_weight(op);
      }
    }
    return std::move(plan_);
  }

 private:
  struct Local {
    std::array<std::optional<Id<Tensor>>, kLayouts> in{};  // by layout
    std::optional<Layout> home{};                          // the layout it was made in

    [[nodiscard]] Id<Tensor> in_layout(Layout layout) const {
      return must_have(in[static_cast<std::size_t>(layout)], "a tensor is not in that layout");
    }

    [[nodiscard]] Layout made_in() const { return must_have(home, "a tensor that nothing made"); }
  };

  [[nodiscard]] bool by_model(const Operator& op) const {
    switch (strategy_.parallelism) {
      case Parallelism::kData:
        return false;
      case Parallelism::kModel:
        return true;
      case Parallelism::kOneWeirdTrick:
        return op.kind == OperatorKind::kFullyConnected;
    }
    return false;
  }

  [[nodiscard]] double share(Layout layout) const {
    switch (layout) {
      case Layout::kBatch:
        return batch_share_;
      case Layout::kChannels:
        return 1.0 / devices_;
      case Layout::kWhole:
      case Layout::kPartial:
        break;
    }
    return 1.0;
  }

  // A tensor as a device has it in `layout`; without an exchange.
  Id<Tensor> declare(Id<Tensor> tensor, Layout layout) {
    Local& local = local_[tensor.index()];
    auto& there = local.in[static_cast<std::size_t>(layout)];
    if (!there) {
      Tensor mine = global_.tensor(tensor);
      mine.elements *= share(layout);
      const Id<Tensor> host = mine.storage;
      const auto host_there =
          host == tensor ? std::nullopt : local_[host.index()].in[static_cast<std::size_t>(layout)];
      there = host_there ? plan_.graph.add_in_place(std::move(mine), *host_there)
                         : plan_.graph.add(std::move(mine));
    }
    if (!local.home) {
      local.home = layout;
    }
    return *there;
  }

  // A tensor as a device reads it in `layout`; exchanged if it was made in another.
  Id<Tensor> need(Id<Tensor> tensor, Layout layout) {
    settle_home(tensor, layout);
    const Local& local = local_[tensor.index()];
    if (const auto there = local.in[static_cast<std::size_t>(layout)]) {
      return *there;
    }
    const Layout home = local.made_in();
    if (home == Layout::kWhole || devices_ == 1) {
      return take_part(tensor, home, layout);
    }
    const bool scatter =
        home == Layout::kPartial &&
        (layout == Layout::kBatch || strategy_.partial_sum == PartialSum::kReduceScatter);
    if (layout != Layout::kWhole && !scatter) {
      need(tensor, Layout::kWhole);
      return take_part(tensor, Layout::kWhole, layout);
    }
    const Tensor& global = global_.tensor(tensor);
    Exchange exchange{.name = global.name, .elements = exchanged_elements(global)};
    if (home == Layout::kPartial) {
      exchange.op = layout == Layout::kWhole ? Op::kAllReduce : Op::kReduceScatter;
    } else {
      exchange.op = Op::kAllGather;
    }
    exchange.from = {local.in_layout(home)};
    exchange.to = {declare(tensor, layout)};
    const Id<Tensor> result = exchange.to.front();
    emit(std::move(exchange));
    return result;
  }

  // A device's part of what it has all of, where it is.
  Id<Tensor> take_part(Id<Tensor> tensor, Layout from, Layout layout) {
    Local& local = local_[tensor.index()];
    Tensor mine = global_.tensor(tensor);
    mine.elements *= share(layout);
    const Id<Tensor> part = plan_.graph.add_in_place(std::move(mine), local.in_layout(from));
    local.in[static_cast<std::size_t>(layout)] = part;
    return part;
  }

  // The layout a tensor was made in; a view's is that of what it is a view of. Nothing yet for what
  // comes from outside.
  [[nodiscard]] std::optional<Layout> home_of(Id<Tensor> tensor) const {
    const Local& local = local_[tensor.index()];
    return local.home ? local.home : local_[global_.tensor(tensor).storage.index()].home;
  }

  // What comes from outside is there in the layout it is first wanted in.
  void settle_home(Id<Tensor> tensor, Layout wanted) {
    if (!local_[tensor.index()].home) {
      declare(tensor, home_of(tensor).value_or(wanted));
    }
  }

  void emit(Exchange exchange) {
    exchange.layer = global_.operators[current_].layer;
    plan_.steps.emplace_back(Id<Exchange>(plan_.exchanges.size()));
    plan_.exchanges.push_back(std::move(exchange));
  }

  void emit(Operator op) {
    plan_.steps.emplace_back(Id<Operator>(plan_.graph.operators.size()));
    plan_.graph.operators.push_back(std::move(op));
  }

  // The operator with tensors of this device; `shrink` is the part of its work that is done here.
  [[nodiscard]] Operator local_copy(const Operator& op, double shrink) const {
    Operator mine = op;
    mine.vector_ops *= shrink;
    mine.inputs.clear();
    mine.outputs.clear();
    mine.saved.clear();
    mine.weight.reset();
    return mine;
  }

  // A device's share of a contraction, by the side that channels or samples lie along.
  void take_share(bool model, double& channels, double& samples) const {
    if (model) {
      channels = std::ceil(channels / devices_);
    } else {
      samples *= batch_share_;
    }
  }

  void forward(const Operator& op) {
    const bool model = by_model(op);
    const Layout inputs = model ? Layout::kWhole : Layout::kBatch;
    const Layout outputs = model ? Layout::kChannels : Layout::kBatch;
    Operator mine = local_copy(op, share(outputs));
    if (mine.contraction && op.weight) {
      take_share(model, mine.contraction->n, mine.contraction->m);
    } else if (mine.contraction) {  // of two feature maps: some of the products
      return products(op);
    }
    for (const Id<Tensor> input : op.inputs) {
      if (op.weight == input) {
        mine.weight = declare(input, model ? Layout::kChannels : Layout::kWhole);
        mine.inputs.push_back(*mine.weight);
      } else {
        if (model) {
          keep_slice_of_outside(input);
        }
        mine.inputs.push_back(need(input, inputs));
      }
    }
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(declare(output, outputs));
    }
    emit(std::move(mine));
  }

  // What comes from outside comes whole; of what is kept of it, a device copies its part.
  void keep_slice_of_outside(Id<Tensor> input) {
    if (home_of(input) || devices_ == 1 ||
        strategy_.model_parallel_input != ModelParallelInput::kSlice) {
      return;
    }
    const Id<Tensor> whole = declare(input, Layout::kWhole);
    Tensor mine = global_.tensor(input);
    mine.elements *= share(Layout::kChannels);
    const Id<Tensor> slice = plan_.graph.add(std::move(mine));
    local_[input.index()].in[static_cast<std::size_t>(Layout::kChannels)] = slice;
    emit(Operator{.name = global_.tensor(input).name + ".slice",
                  .kind = OperatorKind::kConcat,
                  .layer = global_.operators[current_].layer,
                  .inputs = {whole},
                  .outputs = {slice}});
  }

  void data_gradient(const Operator& op) {
    if (op.kind == OperatorKind::kMatmul) {
      return products(op);
    }
    const bool model = by_model(op);
    Operator mine = local_copy(op, share(model ? Layout::kChannels : Layout::kBatch));
    Contraction& here = must_have(mine.contraction, kNoContraction);
    take_share(model, here.k, here.m);
    mine.inputs = {need(op.inputs[0], model ? Layout::kChannels : Layout::kBatch),
                   need(op.inputs[1], model ? Layout::kChannels : Layout::kWhole)};
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(declare(output, model ? Layout::kPartial : Layout::kBatch));
    }
    emit(std::move(mine));
  }

  void weight_gradient(const Operator& op) {
    const bool model = by_model(op);
    Operator mine = local_copy(op, share(model ? Layout::kChannels : Layout::kBatch));
    if (mine.contraction) {
      take_share(model, mine.contraction->n, mine.contraction->k);
    }
    mine.inputs = {need(op.inputs[0], model ? Layout::kChannels : Layout::kBatch)};
    const Id<Tensor> gradient = op.outputs.front();
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
      if (op.inputs[i] != gradient) {
        mine.inputs.push_back(model ? input_again(op.inputs[i])
                                    : need(op.inputs[i], Layout::kBatch));
      }
    }
    if (model || devices_ == 1) {
      const Id<Tensor> here = declare(gradient, model ? Layout::kChannels : Layout::kWhole);
      add_to(mine, here, op);
      emit(std::move(mine));
      return;
    }
    // Each step's sum over devices has a buffer of its own, two by turns, so that one can be filled
    // while the other is summed.
    const bool every_step = op.kind == OperatorKind::kRecurrent && uses_of(gradient) > 1 &&
                            strategy_.recurrent_sync == RecurrentSync::kEveryStep;
    const Id<Tensor> here = every_step ? by_turns(gradient) : declare(gradient, Layout::kPartial);
    if (every_step) {
      mine.outputs = {here};
    } else {
      add_to(mine, here, op);
    }
    emit(std::move(mine));
    if (every_step || last_use_[gradient.index()] == current_) {
      sum(gradient, here, every_step);
    }
  }

  // Writes to `gradient`, and reads it too if an earlier use of the weight has written there.
  static void add_to(Operator& mine, Id<Tensor> gradient, const Operator& op) {
    if (std::ranges::find(op.inputs, op.outputs.front()) != op.inputs.end()) {
      mine.inputs.push_back(gradient);
    }
    mine.outputs = {gradient};
  }

  // As many of the precision that is trained in as have the tensor's bytes.
  [[nodiscard]] double exchanged_elements(const Tensor& tensor) const {
    const Bytes precision = chip::element_bytes(strategy_.precision);
    return model::bytes_of(tensor, precision) / precision;
  }

  // A layer's input for its weight gradient, model-parallel.
  Id<Tensor> input_again(Id<Tensor> input) {
    if (strategy_.model_parallel_input == ModelParallelInput::kSlice) {
      return need(input, Layout::kChannels);
    }
    const Local& local = local_[input.index()];
    const bool from_outside = local.home == Layout::kWhole;
    if (devices_ == 1 || from_outside ||
        strategy_.model_parallel_input == ModelParallelInput::kGathered) {
      return need(input, Layout::kWhole);
    }
    const Tensor& global = global_.tensor(input);
    const Id<Tensor> again = plan_.graph.add({.name = global.name + " again",
                                              .kind = TensorKind::kFeatureMap,
                                              .elements = global.elements,
                                              .element = global.element});
    emit({.name = global.name,
          .op = Op::kAllGather,
          .elements = exchanged_elements(global),
          .from = {local.in_layout(local.made_in())},
          .to = {again}});
    return again;
  }

  // Some of the products of two feature maps: by samples, or by heads.
  void products(const Operator& op) {
    const Layout layout = by_model(op) ? Layout::kChannels : Layout::kBatch;
    Operator mine = local_copy(op, share(layout));
    Contraction& some = must_have(mine.contraction, kNoContraction);
    some.count = std::ceil(some.count * share(layout));
    for (const Id<Tensor> input : op.inputs) {
      mine.inputs.push_back(need(input, layout));
    }
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(declare(output, layout));
    }
    emit(std::move(mine));
  }

  // In the layout of what it reads. Partial sums are only good for adding further ones.
  void without_weight(const Operator& op) {
    const Layout fallback =
        strategy_.parallelism == Parallelism::kModel ? Layout::kChannels : Layout::kBatch;
    Layout layout = fallback;
    bool all_partial = op.kind == OperatorKind::kAdd && op.pass == Pass::kDataGradient;
    for (const Id<Tensor> input : op.inputs) {
      if (op.weight == input) {
        continue;
      }
      const std::optional<Layout> home = home_of(input);
      all_partial = all_partial && home == Layout::kPartial;
      if (home == Layout::kBatch || home == Layout::kChannels) {
        layout = *home;
      }
    }
    if (all_partial) {
      layout = Layout::kPartial;
    }
    const Layout weights = layout == Layout::kBatch ? Layout::kWhole : layout;
    Operator mine = local_copy(op, share(layout));
    for (const Id<Tensor> input : op.inputs) {
      mine.inputs.push_back(op.weight == input ? declare(input, weights) : need(input, layout));
    }
    std::optional<Id<Tensor>> gradient;
    for (const Id<Tensor> output : op.outputs) {
      if (global_.tensor(output).kind == TensorKind::kWeightGradient) {
        gradient = output;
        mine.outputs.push_back(
            declare(output, layout == Layout::kBatch && devices_ > 1 ? Layout::kPartial : weights));
      } else {
        mine.outputs.push_back(declare(output, layout));
      }
    }
    emit(std::move(mine));
    if (gradient && local_[gradient->index()].home == Layout::kPartial &&
        last_use_[gradient->index()] == current_) {
      sum(*gradient, declare(*gradient, Layout::kPartial), false);
    }
  }

  void update(const Operator& op) {
    const Id<Tensor> weight = op.inputs[1];
    const Layout layout = local_[weight.index()].made_in();
    Operator mine = local_copy(op, share(layout));
    const Id<Tensor> gradient = op.inputs[0];
    if (!turns_.empty() && turns_[gradient.index()].filled > 0) {
      for (const auto& buffer : turns_[gradient.index()].buffer) {
        if (buffer) {
          mine.inputs.push_back(*buffer);
        }
      }
    } else {
      mine.inputs.push_back(need(gradient, layout));
    }
    mine.inputs.push_back(need(weight, layout));
    mine.outputs = {mine.inputs.back()};
    emit(std::move(mine));
  }

  // The sum of a weight gradient over devices, in place; small ones wait for others.
  void sum(Id<Tensor> gradient, Id<Tensor> here, bool now) {
    const double elements = global_.tensor(gradient).elements;
    if (!now) {
      local_[gradient.index()].in[static_cast<std::size_t>(Layout::kWhole)] = here;
    }
    bucket_.elements += elements;
    bucket_.name += (bucket_.name.empty() ? "" : " + ") + global_.tensor(gradient).name;
    bucket_.from.push_back(here);
    bucket_.to.push_back(here);
    if (now || chip::element_bytes(strategy_.precision) * bucket_.elements >= strategy_.bucket) {
      flush_bucket();
    }
  }

  void flush_bucket() {
    if (bucket_.from.empty()) {
      return;
    }
    bucket_.op = Op::kAllReduce;
    bucket_.blocking = strategy_.gradient_sync == GradientSync::kBlocking;
    emit(std::exchange(bucket_, {}));
  }

  struct Turns {
    std::array<std::optional<Id<Tensor>>, 2> buffer{};
    std::uint32_t filled = 0;
  };

  Id<Tensor> by_turns(Id<Tensor> gradient) {
    turns_.resize(global_.tensors.size());
    Turns& turns = turns_[gradient.index()];
    auto& buffer = turns.buffer[turns.filled % 2];
    ++turns.filled;
    if (!buffer) {
      buffer = plan_.graph.add(global_.tensor(gradient));
    }
    return *buffer;
  }

  void find_last_uses_of_weights() {
    last_use_.assign(global_.tensors.size(), 0);
    uses_.assign(global_.tensors.size(), 0);
    for (std::size_t i = 0; i < global_.operators.size(); ++i) {
      for (const Id<Tensor> output : global_.operators[i].outputs) {
        last_use_[output.index()] = i;
        ++uses_[output.index()];
      }
    }
  }

  [[nodiscard]] std::uint32_t uses_of(Id<Tensor> gradient) const { return uses_[gradient.index()]; }

  const Graph& global_;
  const Strategy& strategy_;
  std::uint32_t devices_;
  double batch_share_ = 1.0;
  std::vector<Local> local_;           // by global tensor
  std::vector<std::size_t> last_use_;  // by global tensor: the last operator that writes it
  std::vector<std::uint32_t> uses_;    // by global tensor: operators that write it
  std::vector<Turns> turns_;           // by global tensor; empty if not needed
  std::size_t current_ = 0;
  Exchange bucket_;
  Plan plan_;
};

}  // namespace

Plan parallelize(const Graph& graph, const Strategy& strategy, std::uint32_t devices) {
  ensure(devices > 0, "a plan for no devices");
  return Parallelization(graph, strategy, devices).run();
}

double total_batch(const Strategy& strategy, std::uint32_t devices) {
  return strategy.batch_per == BatchPer::kDevice && strategy.parallelism != Parallelism::kModel
             ? strategy.batch * devices
             : strategy.batch;
}

}  // namespace cairn::plan
