// The energy that a generated chip spends on what it does in a time.
#pragma once

#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

struct Done {
  Seconds time{};
  Flops work{};
  std::vector<Bytes> level_traffic{};  // by level, as Generated::levels; missing ones are 0
  Bytes memory_traffic{};
  Bytes intra_package_sent{};
  Bytes inter_package_sent{};
};

struct Energy {
  Joules compute{};
  Joules levels{};
  Joules main_memory{};
  Joules network{};
  Joules idle{};  // static power of memories over the time

  [[nodiscard]] Joules total() const { return compute + levels + main_memory + network + idle; }
};

// Precondition: nothing is sent over a network that the chip does not have.
Energy energy_of(const Done& done, const Generated& chip);

// Of all memories, whether they are used or not.
Watts static_power(const Generated& chip);

}  // namespace cairn::chip
