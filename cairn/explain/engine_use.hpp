// Utilization of a device's collectives engine.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/sim/program.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// One partition of its memory, with its state machines.
struct PartitionUse {
  std::string name{};
  Bytes room{};
  Bytes peak{};
  Bytes mean{};
  double machines = 0.0;       // 0 for the partition of results
  double machines_busy = 0.0;  // average utilization
};

struct EngineUse {
  double busy = 0.0;  // fraction of the time in which it held a chunk
  Bytes peak{};       // sum of the peaks of all partitions
  double machines = 0.0;
  double machines_busy = 0.0;              // average utilization
  std::vector<PartitionUse> partitions{};  // in the order in which chunks pass
};

// Utilization of the busiest engine; no partitions if there are no engines.
EngineUse engine_use(const sim::Program& program, const sim::Timeline& timeline);

// The engine resource that was in use nearly all the time, the last along the phases; empty: none.
std::string engine_bound(const EngineUse& use);

}  // namespace cairn::explain
