// The time that no algorithm can beat, for reasons of bandwidth alone.
#pragma once

#include "cairn/comm/collective.hpp"
#include "cairn/comm/layout.hpp"

namespace cairn::comm {

// The largest of what each device must send or receive over its own bandwidth, and what all must
// over theirs together. A device's bandwidth is that of its links, or its injection limit if lower.
// Nothing but devices adds up data, so a sum of n buffers takes n-1 transfers of each.
Seconds lower_bound(const Collective& collective, const Layout& layout);

// Bytes that n devices have to send all together, per byte of the collective's size; all-to-all
// with equal parts.
double fewest_sent(Op op, double n);

// Of the device that can send the most: its links, or its injection limit if lower.
BytesPerSecond most_sent(const platform::Platform& platform);

}  // namespace cairn::comm
