// Layouts of activations of operators without a weight.
#pragma once

#include "cairn/plan/operand_rules.hpp"
#include "cairn/plan/shards.hpp"

namespace cairn::plan {

// Devices along the axis have different rows.
constexpr bool is_by_rows(Split split) {
  return split == Split::kRows || split == Split::kSteps;
}

template <class Change>
constexpr TensorLayout layout_by_axis(TensorLayout layout, const Change& change) {
  for (const Axis axis : kStageAxes) {
    layout[axis] = change(layout[axis]);
  }
  return layout;
}

// The layout of a tensor with one value per column (norm weights, biases) of an activation in
// `layout`.
TensorLayout per_column(const TensorLayout& layout);

// The layout of its gradient: each device sums over its rows.
TensorLayout sums_per_column(const TensorLayout& layout);

// The layout of the gradient of a weight that all rows and columns share.
TensorLayout sums_over(const TensorLayout& layout);

// Unless the inputs have another layout.
TensorLayout layout_by_default(const OperandRules& rules);

// Matmuls and attention: split by samples, or by heads.
TensorLayout layout_of_products(const OperandRules& rules, const Mesh& mesh);

// The layout that partial sums are reduced to.
TensorLayout summed(const Strategy& strategy, TensorLayout layout);

// The output layout of an operator without a weight: that of its inputs. Partial sums are kept only
// where all inputs of an addition are partial.
TensorLayout layout_without_weight(const model::Operator& op,
                                   const model::Graph& global,
                                   const OperandRules& rules,
                                   const Shards& shards,
                                   const Strategy& strategy,
                                   const Mesh& mesh);

}  // namespace cairn::plan
