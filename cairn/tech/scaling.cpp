#include "cairn/tech/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/must_have.hpp"

namespace cairn::tech {

namespace {

constexpr double kSameNode = 1e-6;  // relative: nodes differ by a fifth or more

auto find_node(const ScalingLaw& law, Metres node) {
  return std::ranges::find_if(law.nodes, [&](const LogicNode& known) {
    return std::fabs(known.node / node - 1.0) < kSameNode;
  });
}

int steps_or_bug(const ScalingLaw& law, Metres from, Metres to) {
  const std::optional<int> steps = steps_between(law, from, to);
  return must_have(steps, "a node that the scaling law does not know");
}

}  // namespace

const Schema<LogicNode>& schema_of(const LogicNode*) {
  static const auto kSchema =
      Schema<LogicNode>("logic node", "one node of a scaling law")
          .required("node", &LogicNode::node, "technology node", "7 nm")
          .positive()
          .optional("cost_per_area", &LogicNode::cost_per_area, "price of processed wafers")
          .not_negative();
  return kSchema;
}

const Schema<ScalingLaw>& schema_of(const ScalingLaw*) {
  using L = ScalingLaw;
  static const auto kSchema =
      Schema<L>("scaling law", "scaling factors from one logic node to the next")
          .optional("description", &L::description, "one line")
          .required("source", &L::source, "where its figures are from", "a paper")
          .required("nodes", &L::nodes, "nodes, oldest first", "[{node: 12 nm}, {node: 7 nm}]")
          .optional("area", &L::area, "divisor of the area of logic and on-chip memory")
          .positive()
          .optional("power", &L::power, "divisor of their power and energy at equal frequency")
          .positive()
          .optional("voltage", &L::voltage, "divisor of the nominal voltage")
          .positive()
          .optional("controller_area", &L::controller_area, "divisor of memory controller area")
          .positive();
  return kSchema;
}

std::optional<int> steps_between(const ScalingLaw& law, Metres from, Metres to) {
  const auto begin = find_node(law, from);
  const auto end = find_node(law, to);
  if (begin == law.nodes.end() || end == law.nodes.end()) {
    return std::nullopt;
  }
  return static_cast<int>(end - begin);
}

ComputeUnit scaled(const ComputeUnit& unit, const ScalingLaw& law, Metres to) {
  const int steps = steps_or_bug(law, unit.node, to);
  ComputeUnit result = unit;
  result.node = to;
  result.area /= std::pow(law.area, steps);
  result.power /= std::pow(law.power, steps);
  result.voltage.nominal /= std::pow(law.voltage, steps);
  result.cost_per_area = find_node(law, to)->cost_per_area;
  return result;
}

OnChipMemory scaled(const OnChipMemory& memory, const ScalingLaw& law, Metres to) {
  const int steps = steps_or_bug(law, memory.node, to);
  OnChipMemory result = memory;
  result.node = to;
  result.area /= std::pow(law.area, steps);
  result.controller_area /= std::pow(law.area, steps);
  result.energy /= std::pow(law.power, steps);
  return result;
}

OffChipMemory scaled(const OffChipMemory& memory, const ScalingLaw& law, int steps) {
  OffChipMemory result = memory;
  result.controller_area /= std::pow(law.controller_area, steps);
  return result;
}

}  // namespace cairn::tech
