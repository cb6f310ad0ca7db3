// Scaling of area, power and voltage from one logic node to the next, at the same frequency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/logic.hpp"
#include "cairn/tech/off_chip_memory.hpp"
#include "cairn/tech/on_chip_memory.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

struct LogicNode {
  Metres node{};
  std::optional<DollarsPerArea> cost_per_area{};  // of processed wafers
};

const Schema<LogicNode>& schema_of(const LogicNode*);

// Each step along `nodes` divides by these factors.
struct ScalingLaw {
  std::string description{};
  std::string source{};
  std::vector<LogicNode> nodes{};  // oldest first
  double area = 1.0;               // of compute units, memory cells and crossbar links
  double power = 1.0;    // of compute units, and energy of on-chip memory, at the same frequency
  double voltage = 1.0;  // nominal; threshold and minimum do not scale
  double controller_area = 1.0;  // of off-chip memory, on the die
};

const Schema<ScalingLaw>& schema_of(const ScalingLaw*);

// Steps from one node to another, negative towards older ones; std::nullopt if the law lacks one.
std::optional<int> steps_between(const ScalingLaw& law, Metres from, Metres to);

// The component at node `to`. Precondition: the law has its own node and `to`.
ComputeUnit scaled(const ComputeUnit& unit, const ScalingLaw& law, Metres to);
OnChipMemory scaled(const OnChipMemory& memory, const ScalingLaw& law, Metres to);

// Only the controller on the die scales, by `steps` nodes.
OffChipMemory scaled(const OffChipMemory& memory, const ScalingLaw& law, int steps);

}  // namespace cairn::tech
