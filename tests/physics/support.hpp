// Helpers of tests across rooms.
#pragma once

#include <cmath>
#include <string>

#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn {

inline platform::Platform platform_of(const std::string& text) {
  return platform::read_platform(text, {});
}

inline platform::Platform platform_of_yaml(const std::string& yaml) {
  return platform::read_platform(parse_config(yaml, "test.yaml"), {});
}

// Every device, every step.
inline CollectiveOptions event_by_event(const std::string& algorithm) {
  return {.algorithm = algorithm, .chunks = {}, .fold = false, .steps = true};
}

// One device for all, one activity per phase.
inline CollectiveOptions folded_and_collapsed(const std::string& algorithm) {
  return {.algorithm = algorithm, .chunks = {}};
}

inline explain::CollectiveResult run(const platform::Platform& platform,
                                     const comm::Collective& collective,
                                     const CollectiveOptions& options) {
  return evaluate_collective(platform, collective, options).value();
}

inline double relative_error(Seconds found, Seconds expected) {
  return std::abs(found / expected - 1.0);
}

// Bytes that cross links, every hop counted.
inline Bytes traffic_of_links(const explain::CollectiveResult& result) {
  Bytes total;
  for (const explain::LinkLoad& load : result.links) {
    if (load.kind == explain::ResourceKind::kLink) {
      total += load.traffic * static_cast<double>(load.members);
    }
  }
  return total;
}

}  // namespace cairn
