// The classes of devices that decide: the one with the most work for the breakdown of the step, the
// one with the highest peak for memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

struct DecidingClasses {
  Breakdown breakdown{};  // of one step, without the times alone of collectives and transfers
  std::uint32_t breakdown_stage = 0;
  std::vector<MemoryPoint> memory{};  // of memory_class; empty unless asked for
  std::uint32_t memory_class = 0;
  MemoryPoint peak{};                // of memory_class
  std::vector<MemoryPoint> peaks{};  // by class
  std::string peak_at{};             // kernel
};

DecidingClasses deciding_classes(const lower::LoweredStep& step,
                                 const sim::Timeline& timeline,
                                 const comm::Endpoint& endpoint,
                                 bool memory_over_time);

}  // namespace cairn::explain
