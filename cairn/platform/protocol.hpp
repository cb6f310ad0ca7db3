// Communication protocol of a library: its overhead per message and the fraction of link bandwidth
// left for payload. NCCL has LL, LL128 and Simple.
//
// A collective of S bytes that takes k steps of b bytes over paths of latency l and bandwidth B
// takes
//
//   start + C / copy + k (l + latency + b / (efficiency B))
//
// C is half the bytes that the busiest device reads and writes in its own buffers: S for an
// all-reduce, (1 + 1/n) S / 2 for a reduce-scatter or all-gather over n (comm/protocol.hpp).
// NCCL itself selects by this formula without the copy term (src/graph/tuning.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::platform {

struct Protocol {
  std::string name{};
  std::vector<std::string> ops{};         // collectives it applies to; none: all
  std::vector<std::string> algorithms{};  // algorithms it applies to; none: all
  Seconds start{0.0};
  Seconds latency{0.0};
  double efficiency = 1.0;
  std::optional<BytesPerSecond> copy{};  // absent: the copy takes no time

  // Size of the islands of consecutive ranks within which the protocol applies; 0: everywhere.
  std::uint32_t island = 0;
  Where where{};  // its place in the input

  bool operator==(const Protocol&) const = default;
};

const Schema<Protocol>& schema_of(const Protocol*);

}  // namespace cairn::platform
