// Random platforms and collectives for property tests.
#pragma once

#include <string>
#include <vector>

#include "cairn/evaluate_collective.hpp"

namespace cairn::random_case {

// Any number from first to last.
std::uint32_t in_range(std::uint32_t first, std::uint32_t last);

// A family of platforms; `yaml` draws one of them.
struct Family {
  const char* name;
  std::string (*yaml)();
};

const std::vector<Family>& families();

// Any operation and size, among all devices or some of them in any order.
comm::Collective collective(const platform::Platform& platform);

comm::Endpoint endpoint();

// A supported algorithm, a few chunks, steps expanded or not, any endpoint; default folding.
CollectiveOptions options(const platform::Platform& platform, const comm::Collective& collective);

std::string to_text(const comm::Endpoint& endpoint);
std::string to_text(const comm::Collective& collective, const CollectiveOptions& options);

}  // namespace cairn::random_case
