// Lower bound for the time of any algorithm, from bandwidth alone.
#pragma once

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"

namespace cairn::comm {

// Maximum over devices of the bytes that the device must send or receive over its bandwidth, and
// the same for all devices together. A device's bandwidth is that of its links, or its injection
// limit if lower. Only devices reduce data, so reducing n buffers takes n-1 transfers of each byte.
Seconds lower_bound(const Collective& collective, const GroupLayout& layout);

// Minimum bytes that n devices send together, per byte of the collective's size; for all-to-all
// with equal parts.
double min_sent(Op op, double n);

// Maximum over devices of the send bandwidth: that of its links, or its injection limit if lower.
BytesPerSecond max_sent(const platform::Platform& platform);

}  // namespace cairn::comm
