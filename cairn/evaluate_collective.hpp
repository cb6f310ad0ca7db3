// From a collective on a platform to its time and explanation.
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
  std::optional<std::uint32_t> window{};  // chunks in flight; default: the endpoint's
  bool fold = true;                       // false: simulate every device
  bool steps = false;                     // true: simulate every step of a phase separately
  bool unroll = false;                    // true: simulate every chunk, also where they recur
  bool record_spans = false;
  bool locate_links = false;  // fill CollectiveResult::traffic_by_link
  comm::Endpoint endpoint{};  // what executes it at a device
};

// Throws ConfigError for a collective that does not match the platform (a device that does not
// exist, an unknown algorithm). Infeasible if the algorithm does not support it.
Feasible<explain::CollectiveResult> evaluate_collective(const platform::Platform& platform,
                                                        const comm::Collective& collective,
                                                        const CollectiveOptions& options);

}  // namespace cairn
