// Runs a whole program: tasks start when their predecessors have finished.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/sim/program.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::sim {

enum class Record : std::uint8_t { kTotals, kSpans };

// Whether repetition in time is skipped (repetition.hpp); with kSpans, it never is.
enum class Periods : std::uint8_t { kSkipped, kSimulated };

// Throws Bug, naming what waits for what, if the program deadlocks; Cancelled, if it is cancelled
// (cairn/base/cancellation.hpp).
Timeline simulate(const Program& program,
                  Record record = Record::kTotals,
                  Periods periods = Periods::kSkipped);

// The same; std::nullopt if it takes more than `effort` (see Engine::effort).
std::optional<Timeline> simulate_within(const Program& program,
                                        Record record,
                                        std::uint64_t effort);

}  // namespace cairn::sim
