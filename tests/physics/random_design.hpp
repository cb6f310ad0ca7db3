// Random small designs for property tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/design.hpp"

namespace cairn::random_case {

// A network, and features that only some networks support.
struct Network {
  const char* name;
  const char* yaml;
  std::vector<std::string> parallelisms;
  std::vector<std::string> training{};
};

const std::vector<Network>& networks();

// How many micro-batches a design has.
enum class MicroBatches : std::uint8_t { kFew, kMany };

// The text of a design that trains the network: any platform, strategy, memory policy, schedule and
// endpoint. It can be read, but may be infeasible. With many micro-batches, most designs can be
// simulated as a loop.
std::string design(const Network& network, MicroBatches micro_batches = MicroBatches::kFew);

// Reads a design without its keys that have no effect.
Design read(const std::string& text);

}  // namespace cairn::random_case
