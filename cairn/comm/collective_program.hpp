// A collective as a program for the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/comm/endpoint_charges.hpp"
#include "cairn/comm/resource_kind.hpp"
#include "cairn/sim/fold.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

// The link, injection limit or endpoint that a resource of the program represents.
struct Traffic {
  std::string name{};          // "device 0 -> device 1", or the name of the class
  std::uint32_t members = 1;   // links (or nodes) in the class
  BytesPerSecond bandwidth{};  // of one member
  ResourceKind kind = ResourceKind::kLink;
  // If not a link: links that each of its bytes crosses without drawing on them.
  double links_crossed = 0.0;
  // Payload over traffic of a link; the rest is protocol overhead.
  double payload = 1.0;
};

// By link of the platform: its resource in the program; kUnused if nothing is sent over it.
using ResourceOfLink = std::vector<std::uint32_t>;

inline constexpr std::uint32_t kUnused = 0xFFFFFFFF;

// By link: `value` of its resource; 0 for unused links.
std::vector<double> by_link(const ResourceOfLink& resources, const std::vector<double>& value);

struct CollectiveProgram {
  sim::Program program{};
  std::vector<Traffic> traffic{};  // parallel to program.resources
  ResourceOfLink of_link{};        // empty unless located
  std::uint32_t ranks = 0;         // simulated positions or classes
  MemoryTraffic moved{};           // total of all endpoints
};

// By class of resources: the traffic of its first member, with the members of all.
std::vector<Traffic> traffic_of_classes(const std::vector<Traffic>& traffic,
                                        const sim::FoldedProgram& folded);

// One rank, lane and resource for each class that sim::fold finds.
CollectiveProgram fold_by_refinement(CollectiveProgram program);

}  // namespace cairn::comm
