// The protocols of a platform that apply to a collective.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::comm {

// The protocols for `op` of the smallest island that contains every message of the phase; empty if
// the platform has none. No algorithm is exempt: one that no protocol names may use all of them.
std::vector<const platform::Protocol*> protocols_for(Op op,
                                                     const Phase& phase,
                                                     const Part& part,
                                                     const GroupLayout& layout,
                                                     std::string_view algorithm);

// Whether the platform's library has the algorithm: a protocol for the phase names it, or the
// platform has no protocols for the phase.
bool is_in_library(Op op,
                   const Phase& phase,
                   const Part& part,
                   const GroupLayout& layout,
                   std::string_view algorithm);

// Distinct protocols of a schedule's phases: "LL + Simple"; empty: none.
std::string protocol_names(const CollectiveSchedule& schedule);

// Throws ConfigError at a protocol that names an unknown collective or algorithm.
void check_protocols(const platform::Platform& platform);

// Start-up and copy time of a collective of `size` over n devices. The copy is the bytes that the
// busiest device reads and writes of its own buffers: an all-reduce reads and writes all of it, a
// reduce-scatter reads all and writes 1/n, an all-gather the reverse. So the latter two together
// take the time of the all-reduce plus one start and the copy of 1/n.
Seconds start_of(const platform::Protocol& protocol, Op op, Bytes size, std::uint32_t devices);

}  // namespace cairn::comm
