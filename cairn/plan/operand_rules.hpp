// What a strategy does with one operator: along each axis its role, and by that the layouts of its
// operands and the sides of its work that become smaller.
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
  using Roles = std::array<Role, kAxesOfStage>;

  // The strategy must outlive this. `graph`: that is spread.
  OperandRules(const model::Graph& graph, const Strategy& strategy, const Mesh& mesh);

  // Of operators without weights, where what they read does not say.
  [[nodiscard]] Roles roles_by_default() const;
  [[nodiscard]] Roles roles_of(const model::Operator& op) const;

  // The layout of one operand, `which`, in one pass; whole along axes that have one device only.
  [[nodiscard]] Layout layout(const model::Operator& op,
                              Rule Rules::* pass,
                              Split Rule::* which) const;

  // How many shards a side of the work is cut into.
  [[nodiscard]] std::uint32_t cut(const model::Operator& op, Rule Rules::* pass, Side side) const;

 private:
  [[nodiscard]] Rules rules(const model::Operator& op, Role role) const;

  const Strategy& strategy_;
  Mesh mesh_;
  std::map<Id<model::Tensor>, Role> by_tensor_{};  // kTensor: of a weight, or a weight gradient
};

}  // namespace cairn::plan
