#include "cairn/plan/map_layouts.hpp"

#include <optional>

namespace cairn::plan {

using model::Operator;
using model::Tensor;
using model::TensorKind;

TensorLayout per_column(const TensorLayout& layout) {
  return layout_by_axis(layout,
                        [](Split split) { return is_by_rows(split) ? Split::kWhole : split; });
}

TensorLayout sums_per_column(const TensorLayout& layout) {
  return layout_by_axis(layout,
                        [](Split split) { return is_by_rows(split) ? Split::kPartial : split; });
}

TensorLayout sums_over(const TensorLayout& layout) {
  return layout_by_axis(
      layout, [](Split split) { return split == Split::kWhole ? Split::kWhole : Split::kPartial; });
}

TensorLayout layout_by_default(const OperandRules& rules) {
  return layout_by(rules.roles_by_default(), [](Role role) {
    return role == Role::kNothing                         ? Split::kWhole
           : role == Role::kSamples || role == Role::kRow ? Split::kRows
                                                          : Split::kColumns;
  });
}

TensorLayout layout_of_products(const OperandRules& rules, const Mesh& mesh) {
  const auto cut = [](Split split) { return split == Split::kWhole ? Split::kColumns : split; };
  return normal(layout_by_axis(layout_by_default(rules), cut), mesh);
}

TensorLayout summed(const Strategy& strategy, TensorLayout layout) {
  for (const Axis axis : kStageAxes) {
    if (layout[axis] == Split::kPartial) {
      layout[axis] = strategy.parallelism != Parallelism::kTensor ? Split::kColumns
                     : strategy.sequence_parallel                 ? Split::kSteps
                                                                  : Split::kWhole;
    }
  }
  return layout;
}

TensorLayout layout_without_weight(const Operator& op,
                                   const model::Graph& global,
                                   const OperandRules& rules,
                                   const Shards& shards,
                                   const Strategy& strategy,
                                   const Mesh& mesh) {
  const bool adds = op.sums_gradients();
  TensorLayout result = layout_by_default(rules);
  if (strategy.parallelism == Parallelism::kHybrid) {  // looked-up rows are split by samples
    return normal(result, mesh);
  }
  for (const Axis axis : kStageAxes) {
    bool all_partial = adds;
    bool any_partial = false;
    for (const Id<Tensor> input : op.inputs) {
      if (op.weight == input || global.tensor(input).kind == TensorKind::kWeightGradient) {
        continue;
      }
      const std::optional<TensorLayout> home = shards.home_of(input);
      const bool partial = home && (*home)[axis] == Split::kPartial;
      all_partial = all_partial && partial;
      any_partial = any_partial || partial;
      if (home && (is_by_rows((*home)[axis]) || (*home)[axis] == Split::kColumns)) {
        result[axis] = (*home)[axis];
      }
    }
    if (all_partial) {
      result[axis] = Split::kPartial;
    } else if (any_partial && strategy.sequence_parallel && result[axis] == Split::kWhole) {
      result[axis] = Split::kSteps;
    }
  }
  if (op.properties().sums_channels) {
    result = layout_by_axis(
        result, [](Split split) { return split == Split::kRows ? split : Split::kWhole; });
  }
  return normal(result, mesh);
}

}  // namespace cairn::plan
