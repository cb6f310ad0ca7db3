// How a strategy partitions one operator: its role along each axis, and from that the layouts of
// its operands and the split sides of its contraction.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "cairn/model/graph.hpp"
#include "cairn/plan/mesh.hpp"
#include "cairn/plan/rules.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

class OperandRules {
 public:
  using Roles = std::array<Role, kStageAxes.size()>;

  // The strategy must outlive this. `graph`: the graph to partition.
  OperandRules(const model::Graph& graph, const Strategy& strategy, const Mesh& mesh);

  // Roles of operators without weights whose inputs do not determine them.
  [[nodiscard]] Roles roles_by_default() const;
  [[nodiscard]] Roles roles_of(const model::Operator& op) const;

  // The layout of one operand, `which`, in one pass; whole along axes of size 1.
  [[nodiscard]] TensorLayout layout(const model::Operator& op,
                                    Rule Rules::* pass,
                                    Split Rule::* which) const;

  // The number of shards along a side of the contraction.
  [[nodiscard]] std::uint32_t cut(const model::Operator& op, Rule Rules::* pass, Side side) const;

 private:
  [[nodiscard]] Rules rules(const model::Operator& op, Role role) const;

  const Strategy& strategy_;
  Mesh mesh_;
  std::map<Id<model::Tensor>, Role> by_tensor_{};  // kTensor: by weight and weight gradient
};

}  // namespace cairn::plan
