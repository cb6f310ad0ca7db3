#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "cairn/plan/pipeline.hpp"

namespace cairn::plan {

namespace {

using model::Graph;
using model::Operator;
using model::Tensor;

// Forward operators that must stay together: those that share a weight, and those without a weight
// with what comes before them.
struct Layers {
  std::vector<std::uint32_t> of_operator{};
  std::vector<double> work{};                 // by layer
  std::vector<std::size_t> first_operator{};  // by layer
};

Layers find_layers(const Graph& graph) {
  Layers layers;
  std::vector<std::optional<std::uint32_t>> of_weight(graph.tensors.size());
  std::optional<std::uint32_t> before;
  bool any_weight = false;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    if (op.in_backward_pass()) {
      break;
    }
    const std::optional<std::uint32_t> with = op.weight ? of_weight[op.weight->index()] : before;
    // What comes before the first weight goes with it.
    const bool goes_with_first = op.weight && !any_weight && before;
    any_weight = any_weight || op.weight;
    const auto layer =
        goes_with_first ? *before : with.value_or(static_cast<std::uint32_t>(layers.work.size()));
    if (layer == layers.work.size()) {
      layers.work.push_back(0.0);
      layers.first_operator.push_back(i);
    }
    if (op.weight) {
      of_weight[op.weight->index()] = layer;
    }
    layers.of_operator.push_back(layer);
    layers.work[layer] += op.macs() + op.vector_ops;
    before = layer;
  }
  return layers;
}

// Cuts a row of layers into `stages` pieces so that the largest has as little work as possible:
// least[s][l], the best that s pieces can do with the first l layers.
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
  return {"cuts", detail};
}

Feasible<std::vector<std::uint32_t>> cut_where_said(const Graph& graph,
                                                    const Layers& layers,
                                                    const std::vector<std::string>& cuts) {
  std::vector<std::uint32_t> stage(layers.work.size(), 0);
  std::size_t layer = 0;
  std::uint32_t current = 0;
  for (const std::string& cut : cuts) {
    const auto named = [&](std::size_t l) {
      const std::string& name = graph.operators[layers.first_operator[l]].name;
      return name == cut || name.starts_with(cut + "[");
    };
    std::size_t there = layer + 1;
    while (there < stage.size() && !named(there)) {
      ++there;
    }
    if (there >= stage.size()) {
      return not_a_cut(fmt::format("no layer \"{}\" follows in stage {}", cut, current));
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
        return fmt::format(
            "{} in stage {} reads what stage {} makes", op.name, stages[i], made_in[input.index()]);
      }
    }
    for (const Id<Tensor> output : op.outputs) {
      made_in[output.index()] = stages[i];
    }
  }
  return std::nullopt;
}

// Gradients by the same tensor that one stage makes are added up there, so that it sends one. A
// part of another gradient is where that is.
void add_gradients_where_they_are(const Graph& graph, std::vector<std::uint32_t>& stages) {
  std::vector<std::optional<std::uint32_t>> made_in(graph.tensors.size());
  const auto stage_of = [&](Id<Tensor> part) {
    const auto& own = made_in[part.index()];
    return own ? own : made_in[graph.tensor(part).storage.index()];
  };
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    if (op.kind == model::OperatorKind::kAdd && op.pass == model::Pass::kDataGradient) {
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
                                                   std::uint32_t stages) {
  if (!strategy.cuts.empty() && strategy.cuts.size() + 1 != stages) {
    return not_a_cut(fmt::format(
        "{} cuts make {} stages, not {}", strategy.cuts.size(), strategy.cuts.size() + 1, stages));
  }
  std::vector<std::uint32_t> result(graph.operators.size(), 0);
  if (stages == 1) {
    return result;
  }
  const Layers layers = find_layers(graph);
  if (layers.work.size() < stages) {
    return not_a_cut(fmt::format(
        "{} layers of {} cannot be cut into {} stages", layers.work.size(), graph.name, stages));
  }
  std::vector<std::uint32_t> stage_of_layer;
  if (strategy.cuts.empty()) {
    stage_of_layer = cut_evenly(layers.work, stages);
  } else {
    const auto said = cut_where_said(graph, layers, strategy.cuts);
    if (!said) {
      return said.reason();
    }
    stage_of_layer = *said;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Operator& op = graph.operators[i];
    const std::size_t forward = op.forward ? op.forward->index() : i;
    result[i] = stage_of_layer[layers.of_operator[forward]];
  }
  add_gradients_where_they_are(graph, result);
  if (const auto why_not = flows_backwards(graph, result)) {
    return not_a_cut(*why_not);
  }
  return result;
}

}  // namespace cairn::plan
