// Rings over a group: the order of its positions, and the links between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

struct RingStep {
  std::uint32_t from = 0;  // positions
  std::uint32_t to = 0;
  std::vector<Id<platform::Link>> links;  // between them; empty: as the platform routes
};

// The steps of one of the platform's rings, in either direction; with first_position_only, only the
// step of position 0. Precondition: the group is the whole platform.
std::vector<RingStep> ring_steps(const GroupLayout& layout,
                                 const platform::Ring& ring,
                                 bool forward);

// The steps of the ring 0 -> 1 -> ... -> n-1 -> 0, each as the platform routes it.
std::vector<RingStep> routed_ring_steps(const GroupLayout& layout);

// Adds a part in which every position sends `share_per_step` to the next, `steps` times in each
// phase: a reducing phase unless `op` is an all-gather, then a gathering one unless it is a
// reduce-scatter.
Part& add_ring_part(CollectiveSchedule& schedule,
                    double payload_share,
                    const std::vector<RingStep>& ring,
                    Op op,
                    std::uint32_t steps,
                    double share_per_step);

}  // namespace cairn::comm
