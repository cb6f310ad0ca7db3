// How a library sends messages over links: what it adds to each, and the part of a link's bandwidth
// that payload has. With NCCL: LL, LL128 and Simple.
//
// A collective of S bytes that takes k steps of b bytes over ways of latency l and bandwidth B
// takes
//
//   start + C / copy + k (l + latency + b / (efficiency B))
//
// C is half of what the busiest device reads and writes of its own buffers: S of an all-reduce,
// (1 + 1/n) S / 2 of a reduce-scatter or an all-gather over n (comm/protocol.hpp).
// NCCL itself chooses by this form without copy (src/graph/tuning.cc).
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
  std::vector<std::string> ops{};         // collectives that it carries; none: all
  std::vector<std::string> algorithms{};  // by which; none: all
  Seconds start{0.0};
  Seconds latency{0.0};
  double efficiency = 1.0;
  std::optional<BytesPerSecond> copy{};  // absent: it takes no time of its own

  // Devices of an island, of consecutive ranks, that the protocol stays in; 0: it goes anywhere.
  std::uint32_t island = 0;
  Where where{};  // that says so
};

const Schema<Protocol>& schema_of(const Protocol*);

}  // namespace cairn::platform
