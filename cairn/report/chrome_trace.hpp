// Timeline of a collective in Chrome trace format, for Perfetto (ui.perfetto.dev).
#pragma once

#include <ostream>

#include "cairn/explain/collective_result.hpp"

namespace cairn::report {

// One process per track, one thread per part of the program, a complete event per span with times
// in microseconds. Spans that overlap get threads of their own, because viewers nest the events of
// one thread. Links have a process of their own, with the rate of each over time. Flow arrows lead
// from a message to the messages that waited for it.
void write_chrome_trace(const explain::CollectiveResult& result, std::ostream& out);

}  // namespace cairn::report
