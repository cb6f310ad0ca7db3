// The energy that a device spends on what it does in a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct Generated;

// What a device spends, at the voltages that it works at.
struct EnergyFigures {
  std::string source{};
  JoulesPerFlop flop{};                    // products and operations on single elements
  std::vector<JoulesPerByte> levels{};     // read or written, in the order of the device's levels
  JoulesPerByte memory{};                  // of main memory, read or written
  std::optional<JoulesPerByte> network{};  // sent from package to package; nothing: not known
  Watts static_power{};                    // whether it is used or not
};

const Schema<EnergyFigures>& schema_of(const EnergyFigures*);

// Of the inter-package network; static power of all memories.
EnergyFigures energy_figures(const Generated& chip);

struct Done {
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
  std::optional<Joules> network{};  // nothing: something was sent, but what that takes is not known
  Joules idle{};                    // static power over the time

  // Of what is known.
  [[nodiscard]] Joules total() const {
    return compute + levels + memory + network.value_or(Joules(0.0)) + idle;
  }
};

Energy energy_of(const Done& done, const EnergyFigures& figures);

}  // namespace cairn::chip
