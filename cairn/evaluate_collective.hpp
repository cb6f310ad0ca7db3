// From a collective on a platform to how long it takes and why, on one screen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/explain/collective_result.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn {

struct CollectiveOptions {
  std::string algorithm = "auto";         // comm::parse_algorithm
  std::optional<std::uint32_t> chunks{};  // default: the fastest by estimate
  std::optional<std::uint32_t> window{};  // chunks on their way at once; default: the endpoint's
  bool fold = true;                       // false: simulate every device
  bool steps = false;                     // true: simulate every step of a phase on its own
  bool record_spans = false;
  bool locate_links = false;  // CollectiveResult::carried_by_link is wanted
  comm::Endpoint endpoint{};  // who executes it
};

// How long `collective` takes on `platform`, and why. Throws ConfigError for a collective that
// makes no sense there (a device that does not exist, an unknown algorithm). Infeasible: the
// algorithm cannot do it.
Feasible<explain::CollectiveResult> evaluate_collective(const platform::Platform& platform,
                                                        const comm::Collective& collective,
                                                        const CollectiveOptions& options);

}  // namespace cairn
