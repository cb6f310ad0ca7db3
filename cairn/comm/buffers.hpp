// Input and output buffers of a device in a collective.
#pragma once

#include "cairn/comm/collective.hpp"

namespace cairn::comm {

// Per byte of the collective's size. Data that stays in place on a device, such as its own block in
// an all-gather, is in neither.
struct Buffers {
  double in = 0.0;
  double out = 0.0;
};

// Buffers of the device at `position` of `positions`.
Buffers buffers_of(const Collective& collective, std::uint32_t position, std::uint32_t positions);

}  // namespace cairn::comm
