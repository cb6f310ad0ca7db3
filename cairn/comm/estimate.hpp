// What a schedule costs on a platform when nothing else runs, in closed form: messages of one step
// that cross the same link share it.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

// Of one collective of S bytes: latency + S * per_byte.
struct Estimate {
  Seconds latency{0.0};
  double seconds_per_byte = 0.0;

  [[nodiscard]] Seconds time(Bytes size) const {
    return latency + Seconds(size.si() * seconds_per_byte);
  }
};

// A phase of k steps takes k (max over messages of latency + max over links of bytes / bandwidth);
// parts run side by side. A lower bound where steps cannot overlap, and exact where all ranks are
// in step and no two parts share a link.
Estimate estimate(const Schedule& schedule,
                  const Layout& layout,
                  const platform::Protocol* protocol = nullptr);

}  // namespace cairn::comm
