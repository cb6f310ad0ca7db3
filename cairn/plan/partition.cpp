#include "cairn/plan/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/plan/background.hpp"
#include "cairn/plan/early_exchanges.hpp"
#include "cairn/plan/gradient_sums.hpp"
#include "cairn/plan/local_share.hpp"
#include "cairn/plan/map_layouts.hpp"
#include "cairn/plan/operand_rules.hpp"
#include "cairn/plan/rules.hpp"
#include "cairn/plan/sharded_updates.hpp"
#include "cairn/plan/shards.hpp"

namespace cairn::plan {

namespace {

using comm::Op;
using model::Contraction;
using model::Graph;
using model::LayerClass;
using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::Tensor;
using model::TensorKind;

constexpr const char* kNoContraction = "an operator without the contraction of its kind";

class Partitioning {
 public:
  // `stages`, `passes` (Unrolled): by operator of the graph.
  Partitioning(const Graph& graph,
               const std::vector<std::uint32_t>& stages,
               const std::vector<std::uint32_t>& passes,
               const Strategy& strategy,
               const Mesh& mesh)
      : global_(graph),
        strategy_(strategy),
        mesh_(mesh),
        rules_(graph, strategy, mesh),
        passes_(passes),
        shards_(graph, stages, passes, strategy, mesh),
        share_(global_, rules_, shards_, mesh_),
        sums_(graph, strategy, shards_),
        early_(graph.operators.size()),
        sharded_(graph, mesh, shards_),
        ends_stage_(passes.empty() ? 0 : std::ranges::max(passes) + 1, false) {
    std::vector<std::uint32_t> last_pass(mesh.stages(), 0);
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      if (graph.operators[i].pass != Pass::kUpdate) {
        last_pass[stages[i]] = passes[i];
      }
    }
    for (const std::uint32_t pass : last_pass) {
      ends_stage_[pass] = true;
    }
    if (strategy.parallelism == Parallelism::kHybrid) {
      early_ = early_exchanges(graph, stages, rules_, normal(layout_by_default(rules_), mesh));
    }
    const TensorLayout samples = layout_by(rules_.roles_by_default(), [](Role role) {
      return rules_of(role).forward.result == Split::kRows ? Split::kRows : Split::kWhole;
    });
    shards_.graph().batch =
        std::ceil(graph.batch / mesh.group_size(axes_with(normal(samples, mesh), Split::kRows)));
  }

  Feasible<Plan> run() {
    for (std::size_t i = 0; i < global_.operators.size(); ++i) {
      check_cancelled();
      const Operator& op = global_.operators[i];
      if (i > 0 && passes_[i] != passes_[i - 1] && ends_stage_[passes_[i - 1]]) {
        sums_.end_stage();
      }
      shards_.set_current_op(i);
      sums_.set_current_op(i);
      if (op.pass == Pass::kUpdate && op.lookups) {
        update_rows(op);
      } else if (op.pass == Pass::kUpdate) {
        sums_.flush();
        update(op);
      } else if (op.properties().multiplies_activations) {
        matmul_or_attention(op);
      } else if (op.contraction || op.properties().looks_up_rows) {
        op.pass == Pass::kForward        ? forward(op)
        : op.pass == Pass::kDataGradient ? data_gradient(op)
                                         : weight_gradient(op);
      } else {
        without_weight(op);
      }
      for (const EarlyExchange& exchange : early_[i]) {
        shards_.reshard_early(exchange.tensor, exchange.layout);
      }
    }
    sums_.flush();
    if (const auto& reason =
            share_.infeasible() ? share_.infeasible() : sums_.scatter_infeasible()) {
      return *reason;
    }
    sharded_.finish();
    return decouple_background(shards_.take());
  }

 private:
  void forward(const Operator& op) {
    const auto pass = &Rules::forward;
    const TensorLayout x = rules_.layout(op, pass, &Rule::left);
    const TensorLayout w = rules_.layout(op, pass, &Rule::right);
    const TensorLayout y = rules_.layout(op, pass, &Rule::result);
    Operator mine = share_.of(op, pass, Side::kM);
    share_.take_tables(op, w, mine);
    for (const Id<Tensor> input : op.inputs) {
      if (op.weight == input) {
        mine.weight = declare_weight(op, input, w);
        mine.inputs.push_back(*mine.weight);
      } else if (op.bias == input) {
        mine.bias = declare_weight(op, input, per_column(summed(strategy_, y)));
        mine.inputs.push_back(*mine.bias);
      } else {
        save_slice_of_input(op, input, x);
        mine.inputs.push_back(shards_.reshard_to(input, x));
      }
    }
    const bool partial = !axes_with(y, Split::kPartial).empty();
    if (partial && op.properties().layer == LayerClass::kRecurrent) {
      return cells_of_partial_sums(op, std::move(mine), y);
    }
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(shards_.declare(output, y));
    }
    shards_.emit(std::move(mine));
    if (partial) {
      for (const Id<Tensor> output : op.outputs) {
        shards_.reshard_to(output, summed(strategy_, y));
      }
    }
  }

  // Updates looked-up rows in place, by the gradients of all samples.
  void update_rows(const Operator& op) {
    const auto pass = &Rules::weight_gradient;
    const TensorLayout table = rules_.layout(op, pass, &Rule::result);
    Operator mine = share_.of(op, pass, Side::kK);
    share_.take_tables(op, table, mine);
    mine.inputs = {shards_.reshard_to(op.inputs[0], rules_.layout(op, pass, &Rule::right)),
                   shards_.reshard_to(op.inputs[1], rules_.layout(op, pass, &Rule::left))};
    for (const Id<Tensor> state : std::span(op.inputs).subspan(2)) {
      mine.inputs.push_back(shards_.reshard_to(state, table));
    }
    for (const Id<Tensor> state : op.outputs) {
      mine.outputs.push_back(shards_.reshard_to(state, table));
    }
    shards_.emit(std::move(mine));
  }

  // A weight has the layout of its first reader. Readers with different layouts would have to
  // exchange the weight and its gradients, which is infeasible. The rows of a tied embedding table
  // are the columns of the output head's weight.
  Id<Tensor> declare_weight(const Operator& op, Id<Tensor> weight, const TensorLayout& layout) {
    const std::optional<TensorLayout> home = shards_.home_of(weight);
    const bool looks_up = op.properties().looks_up_rows;
    const bool transposed = read_by_lookup_.try_emplace(weight, looks_up).first->second != looks_up;
    const bool differs = transposed
                             ? is_cut(layout) || is_cut(home.value_or(TensorLayout{})) ||
                                   is_cut(rules_.layout(op, &Rules::weight_gradient, &Rule::result))
                             : home != normal(layout, mesh_);
    if (home && differs) {
      share_.reject(fmt::format("{} shares {} with a layer that partitions it differently",
                                op.name,
                                global_.tensor(weight).name));
    }
    return shards_.declare(weight, layout);
  }

  [[nodiscard]] bool is_cut(const TensorLayout& layout) const {
    return mesh_.group_size(axes_with(layout, Split::kRows)) *
               mesh_.group_size(axes_with(layout, Split::kColumns)) >
           1;
  }

  // The inputs of the gates are reduced across devices before the cell is computed.
  void cells_of_partial_sums(const Operator& op, Operator products, const TensorLayout& partial) {
    const Contraction& all = must_have(op.contraction, kNoContraction);
    const TensorLayout mine = summed(strategy_, partial);
    const auto sum = [&](const char* what, const TensorLayout& layout) {
      const double share = shards_.share(TensorKind::kActivation, layout);
      return shards_.graph().add({.name = op.name + what, .elements = all.m * all.n * share});
    };
    Operator cells = without_tensors(op);
    cells.contraction.reset();
    cells.kind = OperatorKind::kActivation;
    cells.vector_ops = op.vector_ops * shards_.share(TensorKind::kActivation, mine);
    products.vector_ops = 0.0;
    products.outputs = {sum(".partial", partial)};
    cells.inputs = {sum(".gates", mine)};
    Exchange scatter{.name = op.name,
                     .op = Op::kReduceScatter,
                     .axes = axes_with(partial, Split::kPartial),
                     .stage = shards_.stage(),
                     .to_stage = shards_.stage(),
                     .elements = shards_.graph().tensor(products.outputs.front()).elements,
                     .from = products.outputs,
                     .to = cells.inputs};
    shards_.emit(std::move(products));
    shards_.emit(std::move(scatter));
    for (const Id<Tensor> output : op.outputs) {
      cells.outputs.push_back(shards_.declare(output, mine));
    }
    shards_.emit(std::move(cells));
  }

  [[nodiscard]] bool has_channels(const Operator& op) const {
    return strategy_.parallelism != Parallelism::kTensor &&
           strategy_.parallelism != Parallelism::kHybrid && mesh_.size(Axis::kTensor) > 1 &&
           rules_.roles_of(op)[static_cast<std::size_t>(Axis::kTensor)] == Role::kChannels;
  }

  // External inputs arrive whole; a device saves a copy of its slice.
  void save_slice_of_input(const Operator& op, Id<Tensor> input, const TensorLayout& whole) {
    if (!has_channels(op) || shards_.home_of(input) ||
        strategy_.assumptions.model_parallel_input != ModelParallelInput::kSlice) {
      return;
    }
    const Id<Tensor> all = shards_.declare(input, whole);
    const TensorLayout part = slice(whole);
    Tensor mine = global_.tensor(input);
    mine.elements *= shards_.share(mine.kind, part);
    const Id<Tensor> copy = shards_.graph().add(std::move(mine));
    shards_.add_copy(input, part, copy);
    shards_.emit(Operator{.name = global_.tensor(input).name + ".slice",
                          .kind = OperatorKind::kConcat,
                          .layer = op.layer,
                          .inputs = {all},
                          .outputs = {copy}});
  }

  static TensorLayout slice(TensorLayout whole) {
    whole[Axis::kTensor] = Split::kColumns;
    return whole;
  }

  // The gradient of the loss has the layout of the layer's output.
  void settle_gradient_of_loss(const Operator& op) {
    if (!shards_.home_of(op.inputs[0])) {
      shards_.declare(op.inputs[0],
                      summed(strategy_, rules_.layout(op, &Rules::forward, &Rule::result)));
    }
  }

  void data_gradient(const Operator& op) {
    const auto pass = &Rules::data_gradient;
    const TensorLayout w = rules_.layout(op, pass, &Rule::right);
    settle_gradient_of_loss(op);
    Operator mine = share_.of(op, pass, Side::kM);
    mine.inputs = {shards_.reshard_to(op.inputs[0], rules_.layout(op, pass, &Rule::left)),
                   strategy_.assumptions.weight_copies == WeightCopies::kKept
                       ? shards_.reshard_to(op.inputs[1], w)
                       : shards_.reshard_uncached(op.inputs[1], w)};
    for (std::size_t i = 2; i < op.inputs.size(); ++i) {  // saved states of recurrent cells
      mine.inputs.push_back(shards_.reshard_to(op.inputs[i], rules_.layout(op, pass, &Rule::left)));
    }
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(shards_.declare(output, rules_.layout(op, pass, &Rule::result)));
    }
    shards_.emit(std::move(mine));
  }

  void weight_gradient(const Operator& op) {
    const auto pass = &Rules::weight_gradient;
    settle_gradient_of_loss(op);
    const TensorLayout x = rules_.layout(op, pass, &Rule::left);
    Operator mine = share_.of(op, pass, Side::kK);
    mine.inputs = {shards_.reshard_to(op.inputs[0], rules_.layout(op, pass, &Rule::right))};
    const Id<Tensor> gradient = op.outputs.front();
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
      if (op.inputs[i] != gradient) {
        mine.inputs.push_back(has_channels(op) ? input_for_weight_gradient(op.inputs[i], x)
                              : strategy_.sequence_parallel
                                  ? shards_.reshard_uncached(op.inputs[i], x)
                                  : shards_.reshard_to(op.inputs[i], x));
      }
    }
    sums_.add(op, std::move(mine), rules_.layout(op, pass, &Rule::result));
  }

  // Model parallelism: a layer's input for its weight gradient.
  Id<Tensor> input_for_weight_gradient(Id<Tensor> input, const TensorLayout& whole) {
    switch (strategy_.assumptions.model_parallel_input) {
      case ModelParallelInput::kSlice:
        return shards_.reshard_to(input, slice(whole));
      case ModelParallelInput::kRegather:
        return shards_.reshard_uncached(input, whole);
      case ModelParallelInput::kGathered:
        break;
    }
    return shards_.reshard_to(input, whole);
  }

  void matmul_or_attention(const Operator& op) {
    const TensorLayout layout = layout_of_products(rules_, mesh_);
    Operator mine = in_layout(op, layout);
    if (mine.attention) {
      share_.take_heads(op, layout, mine);
    } else {
      share_.take_gemms(op, layout, mine);
    }
    shards_.emit(std::move(mine));
  }

  // Reads and writes everything in one layout.
  Operator in_layout(const Operator& op, const TensorLayout& layout) {
    Operator mine = without_tensors(op);
    mine.vector_ops *= shards_.share(TensorKind::kActivation, layout);
    for (const Id<Tensor> input : op.inputs) {
      mine.inputs.push_back(shards_.reshard_to(input, layout));
    }
    for (const Id<Tensor> output : op.outputs) {
      mine.outputs.push_back(shards_.declare(output, layout));
    }
    return mine;
  }

  // Keeps the layout of its inputs (layout_without_weight).
  void without_weight(const Operator& op) {
    const TensorLayout layout =
        layout_without_weight(op, global_, rules_, shards_, strategy_, mesh_);
    const TensorLayout weights = op.rows_of_heads ? TensorLayout{} : per_column(layout);
    const TensorLayout gradients = op.rows_of_heads ? sums_over(layout) : sums_per_column(layout);
    Operator mine = without_tensors(op);
    mine.vector_ops *= shards_.share(TensorKind::kActivation, layout);
    for (const Id<Tensor> input : op.inputs) {
      if (op.weight == input) {
        mine.inputs.push_back(shards_.declare(input, weights));
      } else if (is_weight_gradient(input)) {  // of an earlier micro-batch
        mine.inputs.push_back(shards_.declare(input, gradients));
      } else {
        mine.inputs.push_back(shards_.reshard_to(input, layout));
      }
    }
    reduce_over_channels(op, layout, mine);
    std::optional<Id<Tensor>> gradient;
    for (const Id<Tensor> output : op.outputs) {
      if (is_weight_gradient(output)) {
        gradient = output;
        mine.outputs.push_back(shards_.declare(output, gradients));
      } else {
        mine.outputs.push_back(shards_.declare(output, layout));
      }
    }
    shards_.emit(std::move(mine));
    if (gradient) {
      sums_.finish(*gradient, gradients);
    }
  }

  [[nodiscard]] bool is_weight_gradient(Id<Tensor> tensor) const {
    return global_.tensor(tensor).kind == TensorKind::kWeightGradient;
  }

  // All-reduces two numbers per row over split channels: softmax, maximum and sum of exponentials;
  // layer norm, its sums. Nothing over split heads for rows within a head.
  void reduce_over_channels(const Operator& op, const TensorLayout& layout, Operator& mine) {
    const Axes axes = axes_with(layout, Split::kColumns);
    if (axes.empty() || op.rows_summed == 0.0 || op.rows_of_heads) {
      return;
    }
    constexpr double kNumbersPerRow = 2.0;
    const double numbers =
        kNumbersPerRow * op.rows_summed *
        shards_.share_of_samples(mesh_.group_size(axes_with(layout, Split::kRows)));
    const Id<Tensor> sums = shards_.graph().add({.name = op.name + ".sums", .elements = numbers});
    shards_.emit(Exchange{.name = op.name,
                          .op = Op::kAllReduce,
                          .axes = axes,
                          .stage = shards_.stage(),
                          .to_stage = shards_.stage(),
                          .elements = numbers,
                          .from = mine.inputs,
                          .to = {sums}});
    mine.inputs.push_back(sums);
  }

  void update(const Operator& op) {
    const Id<Tensor> gradient = op.inputs.front();
    const std::optional<TensorLayout> home = shards_.home_of(op.outputs.front());
    const TensorLayout layout = must_have(home, "a weight that nothing reads");
    Operator mine = without_tensors(op);
    mine.vector_ops *= shards_.share(TensorKind::kWeight, layout);
    if (const auto axes = sums_.scattered_along(gradient)) {
      return sharded_.update(op, std::move(mine), layout, *axes);
    }
    mine.inputs = sums_.buffers(gradient);
    if (mine.inputs.empty()) {
      mine.inputs = {shards_.reshard_to(gradient, layout)};
    }
    for (const Id<Tensor> state : std::span(op.inputs).subspan(1)) {
      mine.inputs.push_back(shards_.reshard_to(state, layout));
    }
    for (const Id<Tensor> state : op.outputs) {
      mine.outputs.push_back(shards_.reshard_to(state, layout));
    }
    shards_.emit(std::move(mine));
  }

  const Graph& global_;
  const Strategy& strategy_;
  Mesh mesh_;
  OperandRules rules_;
  const std::vector<std::uint32_t>& passes_;
  Shards shards_;
  LocalShare share_;
  GradientSums sums_;
  std::vector<std::vector<EarlyExchange>> early_;  // by operator
  ShardedUpdates sharded_;
  std::vector<bool> ends_stage_;  // by pass: whether its stage has only updates left
  std::map<Id<Tensor>, bool>
      read_by_lookup_{};  // by weight: whether its first reader looks up rows
};

}  // namespace

Feasible<Plan> partition(const Graph& graph,
                         const std::vector<std::uint32_t>& stages,
                         const std::vector<std::uint32_t>& passes,
                         const Strategy& strategy,
                         const Mesh& mesh) {
  return Partitioning(graph, stages, passes, strategy, mesh).run();
}

}  // namespace cairn::plan
