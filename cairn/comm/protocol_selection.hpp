// Which of a platform's protocols carries which phase of a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/comm/algorithm_choice.hpp"
#include "cairn/comm/protocol.hpp"

namespace cairn::comm {

// At most one protocol for each kind of phase: inside an island, between islands.
using ProtocolSelection = std::vector<const platform::Protocol*>;

// Where the platform has protocols, some of them carry each phase by its algorithm.
bool is_in_library(Op op,
                   const Layout& layout,
                   const Schedule& schedule,
                   const AlgorithmChoice& choice);

// Every way to take one protocol for each kind of phase; a single empty one where there are none.
std::vector<ProtocolSelection> selections_of(Op op,
                                             const Layout& layout,
                                             const Schedule& schedule,
                                             const AlgorithmChoice& choice);

// What comes before the first message of a collective of `size` among so many devices: phases start
// once, together, with the slowest start.
Seconds start_of(const ProtocolSelection& selection, Op op, Bytes size, std::uint32_t devices);

// Each phase takes the one of the selection that may carry it, and the schedule their start.
void take_protocols(const ProtocolSelection& selection,
                    const AlgorithmChoice& choice,
                    const Collective& collective,
                    std::uint32_t devices,
                    const Layout& layout,
                    Schedule& schedule);

}  // namespace cairn::comm
