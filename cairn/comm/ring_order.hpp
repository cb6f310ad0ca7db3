// Rings over a group: in which order its positions follow each other, and over which links.
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

// The steps of one of the platform's rings, backwards if asked for; only position 0's where the
// layout asks for no more. Precondition: the group is the whole platform.
std::vector<RingStep> ring_steps(const Layout& layout, const platform::Ring& ring, bool forward);

// The steps of the ring 0 -> 1 -> ... -> n-1 -> 0, each as the platform routes it.
std::vector<RingStep> routed_ring_steps(const Layout& layout);

// Adds a part in which every position passes `share_per_step` to the next, `steps` times in each
// phase: one that reduces unless `op` is an all-gather, one that does not unless it is a
// reduce-scatter.
Part& add_ring_part(Schedule& schedule,
                    double payload_share,
                    const std::vector<RingStep>& ring,
                    Op op,
                    std::uint32_t steps,
                    double share_per_step);

}  // namespace cairn::comm
