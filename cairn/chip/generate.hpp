// The micro-architecture generator: turns technology, template and budgets into a chip. Each
// component is as large as its share of area, perimeter and package allows, and as fast as its
// share of power allows (DeepFlow, section 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/chip/budgets.hpp"
#include "cairn/chip/organization.hpp"
#include "cairn/chip/template.hpp"

namespace cairn::chip {

struct GeneratedCore {
  double bundles = 0.0;  // the cores of the device
  double mcus = 0.0;     // including those beyond whole bundles; they add to the throughput
  double mcus_per_bundle = 1.0;
  Volts voltage{};
  Hertz frequency{};
  Flops work_per_cycle{};  // per MCU
  std::string precision{};
  std::uint32_t rows = 1;  // of the array of an MCU
  std::uint32_t columns = 1;
  Dataflow dataflow = Dataflow::kBest;
  double utilization = 1.0;  // maximum fraction of the throughput that kernels reach
  JoulesPerFlop energy_per_flop{};

  [[nodiscard]] FlopsPerSecond throughput() const { return work_per_cycle * mcus * frequency; }
};

struct GeneratedLevel {
  std::string name{};
  Scope scope = Scope::kGlobal;
  double banks = 0.0;
  Bytes capacity{};            // of the whole chip
  BytesPerSecond bandwidth{};  // of the whole chip, before utilization
  double utilization = 1.0;
  Seconds latency{};
  JoulesPerByte energy{};
  Watts static_power{};
};

struct GeneratedMainMemory {
  double devices = 0.0;  // stacks
  double links = 0.0;    // powered
  Volts voltage{};
  BytesPerSecond link_rate{};
  Bytes capacity{};
  BytesPerSecond bandwidth{};  // before utilization
  double utilization = 1.0;
  Seconds latency{};
  JoulesPerByte energy{};
  Watts static_power{};
};

struct GeneratedNetwork {
  NetworkShape topology = NetworkShape::kSwitch;
  double links = 0.0;
  Volts voltage{};
  BytesPerSecond link_rate{};
  BytesPerSecond bandwidth{};  // per direction, to all neighbours together, after utilization
  double utilization = 1.0;
  Seconds latency{};
  JoulesPerByte energy{};  // per byte received

  [[nodiscard]] BytesPerSecond to_each_neighbour() const {
    return bandwidth / neighbours(topology);
  }
};

struct Generated {
  std::string name{};
  GeneratedCore core{};
  std::vector<GeneratedLevel> levels{};  // innermost first
  GeneratedMainMemory main_memory{};
  std::optional<GeneratedNetwork> intra_package{};
  std::optional<GeneratedNetwork> inter_package{};
  Budgets budgets{};
  std::vector<Use> uses{};  // core, levels, main memory, networks, engine
};

// Infeasible with the component's name as limit if a component has a share of one budget but not of
// another that it needs, or too little for one unit; with the budget's name if the shares, or the
// engine alone, exceed it.
Feasible<Generated> generate(const Template& design);

}  // namespace cairn::chip
