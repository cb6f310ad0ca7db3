// The messages of a collective one by one: who sent them when, over which links, and after which
// others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// One activity of the timeline, by name; times count from the start.
struct CollectiveSpan {
  std::string track{};  // who: a device, or a class of devices
  std::string name{};   // what
  std::uint32_t part = 0;
  std::uint32_t phase = 0;  // of the part
  std::uint32_t chunk = 0;
  std::vector<std::uint32_t> links{};  // that it draws on, of CollectiveResult::recorded_links
  std::vector<Bytes> drawn{};          // of payload, of each of them
  Seconds submitted{};                 // both ends are ready
  Seconds begin{};
  Seconds end{};
};

// What a message waited for last: of those of the same chunk that its ends had to have before, the
// one that came last.
struct CollectiveFlow {
  std::uint32_t from = 0;  // of CollectiveResult::spans
  std::uint32_t to = 0;
};

std::vector<CollectiveSpan> collective_spans(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline,
                                             std::uint32_t devices);

// Between the same spans.
std::vector<CollectiveFlow> collective_flows(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline);

}  // namespace cairn::explain
