#include "cairn/plan/operand_rules.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::plan {

using model::Operator;
using model::OperatorKind;

namespace {

OperandRules::Roles roles(Role kernel1, Role kernel2) {
  return {kernel1, kernel2, Role::kSamples};
}

}  // namespace

OperandRules::Roles OperandRules::roles_by_default() const {
  switch (strategy_.parallelism) {
    case Parallelism::kData:
    case Parallelism::kOneWeirdTrick:
      return roles(Role::kSamples, Role::kSamples);
    case Parallelism::kModel:
      return roles(Role::kChannels, Role::kChannels);
    case Parallelism::kRowColumn:
      return roles(Role::kRow, Role::kColumn);
    case Parallelism::kColumnRow:
      return roles(Role::kInner, Role::kInner);
  }
  throw Bug("a parallelism without roles");
}

OperandRules::Roles OperandRules::roles_of(const Operator& op) const {
  const bool wide = op.kind == OperatorKind::kFullyConnected;
  return strategy_.parallelism == Parallelism::kOneWeirdTrick && wide
             ? roles(Role::kChannels, Role::kChannels)
             : roles_by_default();
}

Rules OperandRules::rules(const Operator& op, Role role) const {
  if (op.kind == OperatorKind::kEmbedding) {
    return table_rules_of(role);
  }
  Rules result = rules_of(role);
  if (role == Role::kInner && strategy_.inner_gradient == InnerGradient::kSamples) {
    result.weight_gradient = rules_of(Role::kSamples).weight_gradient;
  }
  return result;
}

Layout OperandRules::layout(const Operator& op, Rule Rules::* pass, Split Rule::* which) const {
  return normal(layout_by(roles_of(op), [&](Role role) { return rules(op, role).*pass.*which; }),
                mesh_);
}

std::uint32_t OperandRules::cut(const Operator& op, Rule Rules::* pass, Side side) const {
  std::uint32_t shards = 1;
  const Roles here = roles_of(op);
  for (const Axis axis : kStageAxes) {
    const Role role = here[static_cast<std::size_t>(axis)];
    shards *= (rules(op, role).*pass).smaller == side ? mesh_.size(axis) : 1;
  }
  return shards;
}

}  // namespace cairn::plan
