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
// cable between the two nodes that is not taken; takes them. Nothing, and nothing taken, when a
// step has no free cable.
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

// What is wrong with the platform's rings, or nothing: each must be a closed walk that passes every
// device exactly once, and no two uses may share a cable.
std::optional<std::string> fault_of_rings(const Platform& platform);

// Sets Ring::shift_symmetric of each ring where it holds: the platform is shift-symmetric and of
// one dimension, the ring begins at device 0 and passes the devices in order of rank, and its
// links, direction by direction, are whole classes (orbits of shifts).
void mark_symmetric_rings(Platform& platform);

}  // namespace cairn::platform
