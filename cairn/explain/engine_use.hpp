// How busy the collectives engine of a device was.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/sim/program.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// One partition of its memory, and the state machines that work on it.
struct PartitionUse {
  std::string name{};
  Bytes room{};
  Bytes peak{};
  Bytes mean{};
  double machines = 0.0;       // none where results wait
  double machines_busy = 0.0;  // share of them, on average
};

struct EngineUse {
  double busy = 0.0;  // share of the time in which it had a chunk
  Bytes peak{};       // of all partitions together, each at its fullest
  double machines = 0.0;
  double machines_busy = 0.0;              // share of them, on average
  std::vector<PartitionUse> partitions{};  // in the order in which chunks pass
};

// Of the device whose engine had most to do; without partitions if there are no engines.
EngineUse engine_use(const sim::Program& program, const sim::Timeline& timeline);

// What of the engine was in use nearly all the time, if anything: the last on the way of chunks.
std::string engine_bound(const EngineUse& use);

}  // namespace cairn::explain
