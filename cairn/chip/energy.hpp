// The energy of a device, from its activity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct Generated;

// Energy per operation and byte, at the operating voltages.
struct EnergyFigures {
  std::string source{};
  JoulesPerFlop flop{};                    // matrix and element-wise operations
  std::vector<JoulesPerByte> levels{};     // per byte read or written, by level of the device
  JoulesPerByte memory{};                  // per byte of main memory read or written
  std::optional<JoulesPerByte> network{};  // per byte sent to another package; empty: unknown
  Watts static_power{};                    // drawn also when idle
};

const Schema<EnergyFigures>& schema_of(const EnergyFigures*);

// `network` is the inter-package network; `static_power` that of all memories.
EnergyFigures energy_figures(const Generated& chip);

struct DeviceActivity {
  Seconds time{};
  Flops work{};
  std::vector<Bytes> level_traffic{};  // by level; missing ones are 0
  Bytes memory_traffic{};
  Bytes sent{};
};

struct Energy {
  Joules compute{};
  Joules levels{};
  Joules memory{};
  std::optional<Joules> network{};  // empty: bytes were sent, but their energy is unknown
  Joules idle{};                    // static power over the time

  // Sum of the known terms.
  [[nodiscard]] Joules total() const {
    return compute + levels + memory + network.value_or(Joules(0.0)) + idle;
  }
};

Energy energy_of(const DeviceActivity& activity, const EnergyFigures& figures);

}  // namespace cairn::chip
