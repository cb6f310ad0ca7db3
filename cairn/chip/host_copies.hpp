// What a device's copy engines reach to and from the memory of its host.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct HostCopies {
  BytesPerSecond bandwidth{};  // one way
  BytesPerSecond both_ways{};  // of both together
  Seconds start{0.0};          // before the first byte
};

const Schema<HostCopies>& schema_of(const HostCopies*);

}  // namespace cairn::chip
