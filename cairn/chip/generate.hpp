// The micro-architecture generator: technology, template and budgets become a chip. Each component
// is as large as its share of area, edge and package allows, and as fast as its share of power
// (DeepFlow, section 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/chip/limit.hpp"
#include "cairn/chip/organization.hpp"
#include "cairn/chip/template.hpp"

namespace cairn::chip {

struct GeneratedCore {
  double bundles = 0.0;  // cores, as kernels see them
  double mcus = 0.0;     // also those that fill no bundle; they add to the throughput
  double mcus_per_bundle = 1.0;
  Volts voltage{};
  Hertz frequency{};
  Flops work_per_cycle{};  // of one MCU
  std::string precision{};
  std::uint32_t rows = 1;  // of an MCU's array
  std::uint32_t columns = 1;
  Dataflow dataflow = Dataflow::kBest;
  double utilization = 1.0;  // the most of the throughput that kernels reach
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
  double links = 0.0;    // that are driven
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
  BytesPerSecond bandwidth{};  // in each direction, over all neighbours, after utilization
  double utilization = 1.0;
  Seconds latency{};
  JoulesPerByte energy{};  // of a byte that arrives

  [[nodiscard]] BytesPerSecond to_each_neighbour() const {
    return bandwidth / neighbours(topology);
  }
};

template <class Amount>
struct Budget {
  Amount given{};
  Amount used{};
};

// What a component was given and made of it.
struct Use {
  std::string component{};
  bool absent = false;  // nothing was given; the rest says nothing then
  Budget<SquareMetres> area{};
  Budget<Watts> power{};
  Budget<Metres> perimeter{};
  Limit size_limited_by{};   // more of this, and it would have more units or bytes
  Limit speed_limited_by{};  // more of this, and it would be faster
};

// `given` is the whole here, not what shares add up to.
struct Budgets {
  Budget<SquareMetres> area{};
  Budget<Watts> power{};
  Budget<Metres> perimeter{};
  Budget<SquareMetres> package_area{};  // the die itself is used area
};

struct Generated {
  std::string name{};
  GeneratedCore core{};
  std::vector<GeneratedLevel> levels{};  // from the innermost
  GeneratedMainMemory main_memory{};
  std::optional<GeneratedNetwork> intra_package{};
  std::optional<GeneratedNetwork> inter_package{};
  Budgets budgets{};
  std::vector<Use> uses{};  // core, levels, main memory, networks, engine
};

// Infeasible with the component's name as limit when a component that has some share lacks another,
// or gets too little for one unit of it; with a budget's name when shares, or the engine alone, are
// more than all of it.
Feasible<Generated> generate(const Template& design);

}  // namespace cairn::chip
