// Bandwidth of a device's copy engines to and from host memory.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct HostCopies {
  BytesPerSecond bandwidth{};  // in one direction alone
  BytesPerSecond both_ways{};  // sum of both directions, concurrently
  Seconds start{0.0};          // before the first byte
};

const Schema<HostCopies>& schema_of(const HostCopies*);

}  // namespace cairn::chip
