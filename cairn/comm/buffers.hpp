// What a device contributes to a collective, and what it gets by it.
#pragma once

#include "cairn/comm/collective.hpp"

namespace cairn::comm {

// Per byte of the collective's size. Data that a device keeps for itself, as its own block in an
// all-gather, is in place and in neither.
struct Buffers {
  double in = 0.0;
  double out = 0.0;
};

// Of a device at `position` of `positions`.
Buffers buffers_of(const Collective& collective, std::uint32_t position, std::uint32_t positions);

}  // namespace cairn::comm
