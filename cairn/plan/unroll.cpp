#include "cairn/plan/unroll.hpp"

#include <algorithm>
#include <utility>

#include "cairn/base/cancellation.hpp"

namespace cairn::plan {

namespace {

using model::Graph;
using model::Operator;
using model::Pass;
using model::Tensor;
using model::TensorKind;

class Unrolling {
 public:
  Unrolling(const Graph& graph,
            const std::vector<std::uint32_t>& virtual_stages,
            const Pipeline& pipeline,
            std::uint32_t micro_batches)
      : graph_(graph),
        virtual_stages_(virtual_stages),
        pipeline_(pipeline),
        micro_batches_(micro_batches) {
    result_.graph.name = graph.name;
    result_.graph.batch = graph.batch;
    result_.graph.layers = graph.layers;
    for (std::uint32_t m = 0; m < micro_batches; ++m) {
      check_cancelled();
      copies_.push_back(copy_tensors(m));
    }
    blocks_.resize(std::size_t{2} * pipeline.virtual_stages());
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      if (graph.operators[i].pass != Pass::kUpdate) {
        blocks_[block(virtual_stages[i], !graph.operators[i].in_backward_pass())].push_back(i);
      }
    }
  }

  Unrolled run() {
    for (const StagePass& pass : pass_order(pipeline_, micro_batches_)) {
      add_pass(pass);
    }
    result_.all_passes.push_back({.kind = PassKind::kUpdate});
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      if (graph_.operators[i].pass != Pass::kUpdate) {
        continue;
      }
      // Each micro-batch updates its own rows of the embedding tables.
      for (std::uint32_t m = 0; m < (graph_.operators[i].lookups ? micro_batches_ : 1); ++m) {
        add(i, m);
      }
    }
    return std::move(result_);
  }

 private:
  using TensorMap = std::vector<Id<Tensor>>;  // by tensor of the micro-batch

  [[nodiscard]] static std::size_t block(std::uint32_t virtual_stage, bool forward) {
    return std::size_t{2} * virtual_stage + (forward ? 0 : 1);
  }

  // Weights and their gradients are those of the first micro-batch.
  TensorMap copy_tensors(std::uint32_t micro_batch) {
    TensorMap map;
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      Tensor tensor = graph_.tensors[t];
      const bool is_persistent =
          tensor.kind == TensorKind::kWeight || tensor.kind == TensorKind::kWeightGradient;
      if (is_persistent && micro_batch > 0) {
        map.push_back(copies_.front()[t]);
        continue;
      }
      const std::size_t storage = tensor.storage.index();
      map.push_back(storage < t ? result_.graph.add_in_place(std::move(tensor), map[storage])
                                : result_.graph.add(std::move(tensor)));
    }
    return map;
  }

  void add_pass(const StagePass& pass) {
    check_cancelled();
    result_.all_passes.push_back(pass);
    for (const std::size_t op :
         blocks_[block(pass.virtual_stage, pass.kind == PassKind::kForward)]) {
      add(op, pass.micro_batch);
    }
  }

  void add(std::size_t index, std::uint32_t micro_batch) {
    Operator op = graph_.operators[index];
    const TensorMap& map = copies_[micro_batch];
    const auto rename = [&](std::vector<Id<Tensor>>& tensors) {
      for (Id<Tensor>& tensor : tensors) {
        tensor = map[tensor.index()];
      }
    };
    rename(op.inputs);
    rename(op.outputs);
    rename(op.saved);
    if (op.weight) {
      op.weight = map[op.weight->index()];
    }
    if (op.bias) {
      op.bias = map[op.bias->index()];
    }
    if (op.pass != Pass::kUpdate) {
      add_to_gradients(op);
    }
    op.forward.reset();
    result_.stages.push_back(pipeline_.stage_of(virtual_stages_[index]));
    result_.passes.push_back(static_cast<std::uint32_t>(result_.all_passes.size() - 1));
    result_.graph.operators.push_back(std::move(op));
  }

  // All but the first writer of a weight gradient accumulate.
  void add_to_gradients(Operator& op) {
    written_.resize(result_.graph.tensors.size(), false);
    for (const Id<Tensor> output : op.outputs) {
      if (result_.graph.tensor(output).kind != TensorKind::kWeightGradient) {
        continue;
      }
      if (written_[output.index()] && std::ranges::find(op.inputs, output) == op.inputs.end()) {
        op.inputs.push_back(output);
      }
      written_[output.index()] = true;
    }
  }

  const Graph& graph_;
  const std::vector<std::uint32_t>& virtual_stages_;
  const Pipeline& pipeline_;
  std::uint32_t micro_batches_;
  std::vector<TensorMap> copies_;                 // by micro-batch
  std::vector<std::vector<std::size_t>> blocks_;  // operators by virtual stage and direction
  std::vector<bool> written_;                     // by tensor
  Unrolled result_;
};

}  // namespace

Unrolled unroll(const Graph& graph,
                const std::vector<std::uint32_t>& virtual_stages,
                const Pipeline& pipeline,
                std::uint32_t micro_batches) {
  return Unrolling(graph, virtual_stages, pipeline, micro_batches).run();
}

}  // namespace cairn::plan
