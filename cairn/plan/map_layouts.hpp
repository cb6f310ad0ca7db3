// How feature maps lie on the devices where no weight says: what operators without a weight read
// and write.
#pragma once

#include "cairn/plan/operand_rules.hpp"
#include "cairn/plan/shards.hpp"

namespace cairn::plan {

// Devices along the axis have other rows of it.
constexpr bool is_by_rows(Split split) {
  return split == Split::kRows || split == Split::kSteps;
}

template <class Change>
constexpr Layout layout_by_axis(Layout layout, const Change& change) {
  for (const Axis axis : kStageAxes) {
    layout[axis] = change(layout[axis]);
  }
  return layout;
}

// Of what every row has the same of, a map being in `layout`.
Layout per_column(const Layout& layout);

// Of the gradient of that: each device sums over its rows.
Layout sums_per_column(const Layout& layout);

// Where what is read does not say otherwise.
Layout layout_by_default(const OperandRules& rules);

// Of products of feature maps: by samples, or by heads.
Layout layout_of_products(const OperandRules& rules, const Mesh& mesh);

// What partial sums are wanted as.
Layout summed(const Strategy& strategy, Layout layout);

// Of what an operator without a weight makes: that of what it reads. Partial sums are only good for
// adding further ones.
Layout layout_without_weight(const model::Operator& op,
                             const model::Graph& global,
                             const OperandRules& rules,
                             const Shards& shards,
                             const Strategy& strategy,
                             const Mesh& mesh);

}  // namespace cairn::plan
