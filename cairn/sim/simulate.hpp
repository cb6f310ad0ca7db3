// Runs a whole program: tasks start when those they come after have finished.
#pragma once

#include "cairn/sim/program.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::sim {

enum class Record : std::uint8_t { kTotals, kSpans };

// Throws Bug, naming who waits for what, if the program can make no progress.
Timeline simulate(const Program& program, Record record = Record::kTotals);

}  // namespace cairn::sim
