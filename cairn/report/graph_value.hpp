// The graph of a platform as JSON, for drawing.
#pragma once

#include <span>

#include "cairn/base/quantity.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// Traffic and utilization, by link of the platform.
struct LinkUse {
  std::span<const Bytes> traffic{};
  std::span<const double> utilization{};
};

// {"topology", "dims", "nodes": [{"id", "kind", "name"}], "links": [{"id", "from", "to", "class",
// "bandwidth_Bps", "carried_B", "utilization"}]}, one link per direction. A graph that
// is too large to draw has "too_large" instead, and both lists are empty.
Value graph_value(const platform::Platform& platform, const LinkUse& use);

}  // namespace cairn::report
