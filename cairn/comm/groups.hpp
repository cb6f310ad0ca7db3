// One collective in several groups of devices at the same time, written down as one schedule.
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

using Group = std::vector<std::uint32_t>;  // positions of a layout that has them all

// The members of a group as a layout of their own.
Layout layout_of(const Layout& all, const Group& group);

// Parts of groups that go through the same phases are one part; each group has the whole payload.
// Preconditions: groups have no member in common and at least two members, each in the order that
// the algorithm wants (ordered_for), and the algorithm supports the collective in each.
Schedule schedule_in_groups(const Collective& collective,
                            const Layout& all,
                            std::span<const Group> groups,
                            const AlgorithmChoice& choice);

// What each of `positions` contributes and gets: in its own group, as if that were all; nothing
// where it is in no group.
std::vector<Buffers> buffers_in_groups(const Collective& collective,
                                       std::uint32_t positions,
                                       std::span<const Group> groups);

}  // namespace cairn::comm
