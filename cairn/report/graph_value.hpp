// The graph of a platform for who draws it.
#pragma once

#include <span>

#include "cairn/base/quantity.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// What a link did, by link of the platform.
struct LinkUse {
  std::span<const Bytes> carried{};
  std::span<const double> utilization{};
};

// {"topology", "dims", "nodes": [{"id", "kind", "name"}], "links": [{"id", "from", "to", "class",
// "bandwidth_Bps", "carried_B", "utilization"}]}, a link for each direction. Where that would be
// more than people can look at, "too_large" says so, and both are empty.
Value graph_value(const platform::Platform& platform, const LinkUse& use);

}  // namespace cairn::report
