// One collective in several groups of devices at the same time, as one schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/buffers.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

struct AlgorithmChoice;

using Group =
    std::vector<std::uint32_t>;  // positions in a common layout; empty: all of a whole one

// The layout of the group's members alone.
GroupLayout layout_of(const GroupLayout& all, const Group& group);

// Parts of groups with the same phases are merged; each group has the whole payload.
// Preconditions: groups are disjoint, have at least two members each, in the order that the
// algorithm requires (ordered_for), and the algorithm supports the collective in each.
CollectiveSchedule schedule_in_groups(const Collective& collective,
                                      const GroupLayout& all,
                                      std::span<const Group> groups,
                                      const AlgorithmChoice& choice);

// Buffers of each of `positions` in its group; none where it is in no group.
std::vector<Buffers> buffers_in_groups(const Collective& collective,
                                       std::uint32_t positions,
                                       std::span<const Group> groups);

}  // namespace cairn::comm
