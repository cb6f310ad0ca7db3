// The messages of a collective: sender, times, links, and dependencies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// One activity of the timeline; times are from the start of the collective.
struct CollectiveSpan {
  std::string track{};  // a device, or a class of devices
  std::string name{};
  std::uint32_t part = 0;
  std::uint32_t phase = 0;  // of the part
  std::uint32_t chunk = 0;
  std::vector<std::uint32_t> links{};  // index in CollectiveResult::recorded_links
  std::vector<Bytes> drawn{};          // payload on each of `links`
  Seconds submitted{};                 // both ends are ready
  Seconds begin{};
  Seconds end{};
};

// The last dependency of a message: the latest message of the same chunk at its sender or receiver.
struct CollectiveFlow {
  std::uint32_t from = 0;  // index in CollectiveResult::spans
  std::uint32_t to = 0;
};

std::vector<CollectiveSpan> collective_spans(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline,
                                             std::uint32_t devices);

// Dependencies between these spans.
std::vector<CollectiveFlow> collective_flows(const comm::CollectiveProgram& program,
                                             const sim::Timeline& timeline);

}  // namespace cairn::explain
