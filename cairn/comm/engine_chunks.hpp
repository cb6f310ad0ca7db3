// The number of chunks of a payload in an engine, and the limit of what can be simulated.
//
// Each chunk belongs to one part of the algorithm's schedule, so the largest part sets the number.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

// Number of chunks of at most `chunk` bytes in the largest part of `payload`.
std::uint32_t chunks_of(Bytes payload, const CollectiveSchedule& schedule, Bytes chunk);

// Infeasible if the program has more chunks of the engine's size than can be simulated.
std::optional<Infeasible> too_many_chunks(const sim::Program& program, const Endpoint& endpoint);

}  // namespace cairn::comm
