// Rings: closed walks that share no cable.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// Which cables are taken; cable k is the links 2k and 2k+1.
using TakenCables = std::vector<bool>;

TakenCables no_cables_taken(const Graph& graph);

// The closed walk through `stops` in order and back to the first, each step on the lowest-numbered
// free cable between the two nodes; marks them as taken. If a step has no free cable, returns
// nullopt and marks none.
std::optional<Ring> ring_through(const Graph& graph,
                                 const std::vector<Id<Node>>& stops,
                                 TakenCables& taken);

// The same with devices given by rank.
std::optional<Ring> ring_of_ranks(const Graph& graph,
                                  const std::vector<std::uint32_t>& ranks,
                                  TakenCables& taken);

// Cables between devices and memory-nodes that no ring uses. (Those to the host or to switches are
// not meant for rings.)
std::uint32_t count_idle_cables(const Platform& platform);

// The first error in the platform's rings, if any: each must be a closed walk that visits every
// device exactly once, and no cable may be used twice.
std::optional<std::string> fault_of_rings(const Platform& platform);

// Sets Ring::shift_symmetric of each ring where it holds: the platform is shift-symmetric and of
// one dimension, the ring begins at device 0 and visits the devices in order of rank, and its
// links, direction by direction, are whole classes (orbits of shifts).
void mark_symmetric_rings(Platform& platform);

}  // namespace cairn::platform
