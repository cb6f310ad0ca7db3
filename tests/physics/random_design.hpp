// Random small designs for property tests.
#pragma once

#include <string>
#include <vector>

namespace cairn::random_case {

// A network, and features that only some networks support.
struct Network {
  const char* name;
  const char* yaml;
  std::vector<std::string> parallelisms;
  std::vector<std::string> training{};
};

const std::vector<Network>& networks();

// The text of a design that trains the network: any platform, strategy, memory policy, schedule and
// endpoint. It can be read, but may be infeasible.
std::string design(const Network& network);

}  // namespace cairn::random_case
