// Into how many chunks an engine cuts a payload, and how many of them can be simulated.
//
// Each chunk takes one of the ways that an algorithm's parts go, so that what is cut is the most
// that goes one way.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

// Of a payload, in chunks of `chunk`.
std::uint32_t chunks_of(Bytes payload, const Schedule& schedule, Bytes chunk);

// If an engine cuts the payloads of a program into more chunks than can be simulated.
std::optional<Infeasible> too_many_chunks(const sim::Program& program, const Endpoint& endpoint);

}  // namespace cairn::comm
