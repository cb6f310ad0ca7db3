// The protocol of each phase of a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/protocol.hpp"

namespace cairn::comm {

// At most one protocol for each kind of phase: inside an island, between islands.
using ProtocolSelection = std::vector<const platform::Protocol*>;

// Whether the platform's library has the algorithm of every phase (protocol.hpp).
bool is_in_library(Op op,
                   const GroupLayout& layout,
                   const CollectiveSchedule& schedule,
                   const AlgorithmChoice& choice);

// All combinations of one protocol for each kind of phase; a single empty one without protocols.
std::vector<ProtocolSelection> selections_of(Op op,
                                             const GroupLayout& layout,
                                             const CollectiveSchedule& schedule,
                                             const AlgorithmChoice& choice);

// Time before the first message of a collective of `size`: all phases start together, once, with
// the slowest start.
Seconds start_of(const ProtocolSelection& selection, Op op, Bytes size, std::uint32_t devices);

// Sets the protocol of each phase from the selection, and the start of the schedule.
void take_protocols(const ProtocolSelection& selection,
                    const AlgorithmChoice& choice,
                    const Collective& collective,
                    std::uint32_t devices,
                    const GroupLayout& layout,
                    CollectiveSchedule& schedule);

}  // namespace cairn::comm
