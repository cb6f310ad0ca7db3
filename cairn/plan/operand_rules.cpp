#include "cairn/plan/operand_rules.hpp"

#include <algorithm>
#include <vector>

#include "cairn/base/failure.hpp"

namespace cairn::plan {

using model::LayerClass;
using model::Operator;

namespace {

OperandRules::Roles roles(Role tensor_rows, Role tensor_columns) {
  return {tensor_rows, tensor_columns, Role::kSamples};
}

// Megatron's pairs: a layer that reads all channels is column-parallel and splits its output
// channels; a layer that reads split channels is row-parallel. Operators without weight keep the
// split. By weight and weight gradient.
std::map<Id<model::Tensor>, Role> roles_in_pairs(const model::Graph& graph) {
  std::map<Id<model::Tensor>, Role> roles;
  std::vector<bool> split(graph.tensors.size(), false);
  for (const Operator& op : graph.operators) {
    if (op.updates_weight()) {
      if (const auto role = roles.find(op.outputs.front()); role != roles.end()) {
        roles.emplace(op.inputs.front(), role->second);
      }
      continue;
    }
    if (op.in_backward_pass()) {
      continue;
    }
    bool splits_output = std::ranges::any_of(
        op.inputs, [&](Id<model::Tensor> input) { return split[input.index()]; });
    const model::OperatorProperties& is = op.properties();
    if (op.weight && (op.contraction || is.looks_up_rows)) {
      const bool pairs = splits_output && is.layer != LayerClass::kRecurrent;
      const Role role = is.looks_up_rows ? Role::kVocabulary
                        : pairs          ? Role::kInner
                                         : Role::kChannels;
      splits_output = roles.emplace(*op.weight, role).first->second == Role::kChannels;
    }
    for (const Id<model::Tensor> output : op.outputs) {
      split[output.index()] = splits_output;
    }
  }
  return roles;
}

}  // namespace

OperandRules::OperandRules(const model::Graph& graph, const Strategy& strategy, const Mesh& mesh)
    : strategy_(strategy), mesh_(mesh) {
  if (strategy.parallelism == Parallelism::kTensor) {
    by_tensor_ = roles_in_pairs(graph);
  }
}

OperandRules::Roles OperandRules::roles_by_default() const {
  switch (strategy_.parallelism) {
    case Parallelism::kData:
    case Parallelism::kOneWeirdTrick:
    case Parallelism::kHybrid:
      return roles(Role::kSamples, Role::kSamples);
    case Parallelism::kModel:
      return roles(Role::kChannels, Role::kChannels);
    case Parallelism::kRowColumn:
      return roles(Role::kRow, Role::kColumn);
    case Parallelism::kColumnRow:
      return roles(Role::kInner, Role::kInner);
    case Parallelism::kTensor:
      return roles(Role::kNothing, Role::kNothing);
  }
  throw Bug("a parallelism without roles");
}

OperandRules::Roles OperandRules::roles_of(const Operator& op) const {
  if (strategy_.parallelism == Parallelism::kTensor) {
    // dX reads the weight, dW writes its gradient.
    for (const auto* tensors : {&op.inputs, &op.outputs}) {
      for (const Id<model::Tensor> tensor : *tensors) {
        if (const auto role = by_tensor_.find(tensor); role != by_tensor_.end()) {
          return roles(role->second, Role::kNothing);
        }
      }
    }
  }
  const bool by_model =
      (strategy_.parallelism == Parallelism::kOneWeirdTrick &&
       op.properties().layer == LayerClass::kFullyConnected) ||
      (strategy_.parallelism == Parallelism::kHybrid && op.properties().looks_up_rows);
  return by_model ? roles(Role::kChannels, Role::kChannels) : roles_by_default();
}

Rules OperandRules::rules(const Operator& op, Role role) const {
  if (op.properties().looks_up_rows) {
    return op.lookups ? bag_rules_of(role) : table_rules_of(role);
  }
  Rules result = rules_of(role);
  if (role == Role::kInner && strategy_.assumptions.inner_gradient == InnerGradient::kSamples) {
    result.weight_gradient = rules_of(Role::kSamples).weight_gradient;
  }
  return result;
}

TensorLayout OperandRules::layout(const Operator& op,
                                  Rule Rules::* pass,
                                  Split Rule::* which) const {
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
