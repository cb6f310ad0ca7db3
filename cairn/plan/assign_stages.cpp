#include "cairn/plan/assign_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/plan/pipeline.hpp"

namespace cairn::plan {

namespace {

using model::Graph;
using model::Operator;
using model::Tensor;

// Forward operators that must stay together: those of one block if cuts are at block boundaries,
// those that share a weight, and those without a weight with the operator before them.
struct Pieces {
  std::vector<std::uint32_t> of_operator{};
  std::vector<double> work{};                 // by piece
  std::vector<std::size_t> first_operator{};  // by piece
};

class PieceFinder {
 public:
  PieceFinder(const Graph& graph, CutAt cut_at) : graph_(graph), cut_at_(cut_at) {}

  Pieces find() {
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      if (graph_.operators[i].in_backward_pass()) {
        break;
      }
      add(i);
    }
    return std::move(pieces_);
  }

 private:
  void add(std::size_t index) {
    const Operator& op = graph_.operators[index];
    const std::uint32_t piece = piece_of(op);
    if (piece == pieces_.work.size()) {
      pieces_.work.push_back(0.0);
      pieces_.first_operator.push_back(index);
    }
    if (op.weight) {
      of_weight_[*op.weight] = piece;
    }
    if (block_of(op) > 0) {
      of_block_[op.block] = piece;
    }
    pieces_.of_operator.push_back(piece);
    pieces_.work[piece] += op.macs() + op.vector_ops;
    before_ = piece;
  }

  [[nodiscard]] std::uint32_t piece_of(const Operator& op) {
    const bool begins = op.weight || block_of(op) > 0;
    const bool is_first = begins && !std::exchange(any_, any_ || begins);
    if (const auto block = of_block_.find(block_of(op)); block != of_block_.end()) {
      return block->second;
    }
    const auto shared = op.weight ? of_weight_.find(*op.weight) : of_weight_.end();
    if (shared != of_weight_.end()) {
      return shared->second;
    }
    // Operators before the first piece belong to it.
    const bool with_before = before_ && (!begins || is_first);
    return with_before ? *before_ : static_cast<std::uint32_t>(pieces_.work.size());
  }

  // 0: may be cut from its neighbours.
  [[nodiscard]] std::uint32_t block_of(const Operator& op) const {
    return cut_at_ == CutAt::kBlocks ? op.block : 0;
  }

  const Graph& graph_;
  CutAt cut_at_;
  Pieces pieces_;
  std::map<Id<Tensor>, std::uint32_t> of_weight_;
  std::map<std::uint32_t, std::uint32_t> of_block_;
  std::optional<std::uint32_t> before_;  // the piece of the operator before
  bool any_ = false;                     // a piece has begun
};

// Assigns consecutive pieces to `stages` stages so that the largest stage has minimal work:
// least[s][l] is the minimum for s stages and the first l pieces.
std::vector<std::uint32_t> cut_evenly(const std::vector<double>& work, std::uint32_t stages) {
  const std::size_t count = work.size();
  std::vector<double> sum(count + 1, 0.0);
  std::partial_sum(work.begin(), work.end(), sum.begin() + 1);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector least(stages + 1, std::vector<double>(count + 1, kNever));
  std::vector from(stages + 1, std::vector<std::size_t>(count + 1, 0));
  least[0][0] = 0.0;
  for (std::uint32_t s = 1; s <= stages; ++s) {
    for (std::size_t end = s; end <= count; ++end) {
      for (std::size_t begin = s - 1; begin < end; ++begin) {
        const double largest = std::max(least[s - 1][begin], sum[end] - sum[begin]);
        if (largest < least[s][end]) {
          least[s][end] = largest;
          from[s][end] = begin;
        }
      }
    }
  }
  std::vector<std::uint32_t> stage(count, 0);
  std::size_t end = count;
  for (std::uint32_t s = stages; s > 0; --s) {
    const std::size_t begin = from[s][end];
    std::fill(stage.begin() + static_cast<std::ptrdiff_t>(begin),
              stage.begin() + static_cast<std::ptrdiff_t>(end),
              s - 1);
    end = begin;
  }
  return stage;
}

Infeasible not_a_cut(const std::string& detail) {
  return {Lack::kCuts, detail};
}

// Plain stages if each has one part of the model.
const char* parts_of(const Strategy& strategy) {
  return pipeline_of(strategy).per_stage > 1 ? "virtual stages" : "stages";
}

std::string fewer_than(std::uint32_t virtual_stages,
                       const Pieces& pieces,
                       const Graph& graph,
                       const Strategy& strategy,
                       CutAt cut_at) {
  const bool has_blocks =
      std::ranges::any_of(graph.operators, [](const Operator& op) { return op.block > 0; });
  const bool by_blocks = cut_at == CutAt::kBlocks && has_blocks;
  return fmt::format("{} has {} {}, too few for {} {} (use at most {} {}{})",
                     graph.name,
                     pieces.work.size(),
                     by_blocks ? "blocks and outer layers" : "layers",
                     virtual_stages,
                     parts_of(strategy),
                     pieces.work.size(),
                     parts_of(strategy),
                     by_blocks ? ", or cut_at: layers" : "");
}

// Whether the layer that begins a piece has this name; the steps of a recurrent layer share one.
bool is_named(const Graph& graph, const Pieces& pieces, std::size_t piece, const std::string& cut) {
  const std::string& name = graph.operators[pieces.first_operator[piece]].name;
  return name == cut || name.starts_with(cut + "[");
}

std::string cannot_begin(const std::string& cut,
                         std::uint32_t stage,
                         const Graph& graph,
                         const Pieces& pieces) {
  std::vector<std::string> names;
  for (std::size_t piece = 0; piece < pieces.first_operator.size(); ++piece) {
    if (is_named(graph, pieces, piece, cut)) {
      return fmt::format("{} cannot begin stage {}: {}",
                         cut,
                         stage,
                         piece == 0 ? "it is the first layer of the model"
                                    : "it is not behind the first layer of the stage before");
    }
    names.push_back(graph.operators[pieces.first_operator[piece]].name);
  }
  const std::string near = nearest(cut, names);
  return fmt::format("{} has no layer {} ({} \"{}\"{})",
                     graph.name,
                     in_quotes(cut),
                     near.empty() ? "expected e.g." : "did you mean",
                     near.empty() ? names.back() : near,
                     near.empty() ? "" : "?");
}

Feasible<std::vector<std::uint32_t>> cut_as_given(const Graph& graph,
                                                  const Pieces& pieces,
                                                  const std::vector<std::string>& cuts) {
  std::vector<std::uint32_t> stage(pieces.work.size(), 0);
  std::size_t layer = 0;
  std::uint32_t current = 0;
  for (const std::string& cut : cuts) {
    std::size_t there = layer + 1;
    while (there < stage.size() && !is_named(graph, pieces, there, cut)) {
      ++there;
    }
    if (there >= stage.size()) {
      return not_a_cut(cannot_begin(cut, current + 1, graph, pieces));
    }
    std::fill(stage.begin() + static_cast<std::ptrdiff_t>(layer),
              stage.begin() + static_cast<std::ptrdiff_t>(there),
              current);
    layer = there;
    ++current;
  }
  std::fill(stage.begin() + static_cast<std::ptrdiff_t>(layer), stage.end(), current);
  return stage;
}

std::optional<std::string> flows_backwards(const Graph& graph,
                                           const std::vector<std::uint32_t>& stages) {
  std::vector<std::uint32_t> made_in(graph.tensors.size(), 0);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    if (op.in_backward_pass()) {
      break;
    }
    for (const Id<Tensor> input : op.inputs) {
      if (made_in[input.index()] > stages[i]) {
        return fmt::format("{} in stage {} reads an output of stage {}",
                           op.name,
                           stages[i],
                           made_in[input.index()]);
      }
    }
    for (const Id<Tensor> output : op.outputs) {
      made_in[output.index()] = stages[i];
    }
  }
  return std::nullopt;
}

// Gradients of the same tensor that one stage computes are added there, so that it sends one. A
// view of a gradient is in the stage of its storage.
void add_gradients_in_their_stage(const Graph& graph, std::vector<std::uint32_t>& stages) {
  std::vector<std::optional<std::uint32_t>> made_in(graph.tensors.size());
  const auto stage_of = [&](Id<Tensor> part) {
    const auto& own = made_in[part.index()];
    return own ? own : made_in[graph.tensor(part).storage.index()];
  };
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    if (op.sums_gradients()) {
      const std::optional<std::uint32_t> first = stage_of(op.inputs.front());
      const bool together =
          std::ranges::all_of(op.inputs, [&](Id<Tensor> part) { return stage_of(part) == first; });
      stages[i] = together ? first.value_or(stages[i]) : stages[i];
    }
    for (const Id<Tensor> output : op.outputs) {
      made_in[output.index()] = stages[i];
    }
  }
}

}  // namespace

Feasible<std::vector<std::uint32_t>> assign_stages(const Graph& graph,
                                                   const Strategy& strategy,
                                                   std::uint32_t virtual_stages) {
  if (!strategy.cuts.empty() && strategy.cuts.size() + 1 != virtual_stages) {
    return not_a_cut(fmt::format("{} {} {} {}, the strategy has {}",
                                 strategy.cuts.size(),
                                 strategy.cuts.size() == 1 ? "cut makes" : "cuts make",
                                 strategy.cuts.size() + 1,
                                 parts_of(strategy),
                                 virtual_stages));
  }
  std::vector<std::uint32_t> result(graph.operators.size(), 0);
  if (virtual_stages == 1) {
    return result;
  }
  const CutAt cut_at = strategy.cuts.empty() ? strategy.cut_at : CutAt::kLayers;
  const Pieces pieces = PieceFinder(graph, cut_at).find();
  if (pieces.work.size() < virtual_stages) {
    return not_a_cut(fewer_than(virtual_stages, pieces, graph, strategy, cut_at));
  }
  std::vector<std::uint32_t> stage_of_piece;
  if (strategy.cuts.empty()) {
    stage_of_piece = cut_evenly(pieces.work, virtual_stages);
  } else {
    const auto given = cut_as_given(graph, pieces, strategy.cuts);
    if (!given) {
      return given.reason();
    }
    stage_of_piece = *given;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Operator& op = graph.operators[i];
    const std::size_t forward = op.forward ? op.forward->index() : i;
    result[i] = stage_of_piece[pieces.of_operator[forward]];
  }
  add_gradients_in_their_stage(graph, result);
  if (const auto reason = flows_backwards(graph, result)) {
    return not_a_cut(*reason);
  }
  return result;
}

}  // namespace cairn::plan
