// Main memory that several use at once: the more of its bandwidth is used, the longer a request
// waits.
#pragma once

#include <span>

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// Requests queue at the memory's channels, each served in a constant time (M/D/1, Pollaczek and
// Khinchine): with the part u of the peak bandwidth in use, a request takes, of an idle memory's
// latency l,
//   1 + (w / l) u / (1 - u)
// with w the device's `waiting`, half the time of a service. Of u < 1.
double latency_factor(const chip::DeviceMemory& memory, double used);

// One that moves bytes: as fast as it can use them (`asks`), and with no more in flight than brings
// it `in_flight` of an idle memory.
struct MemoryUser {
  BytesPerSecond asks{};
  BytesPerSecond in_flight{};

  [[nodiscard]] BytesPerSecond rate(double factor) const {
    return in_flight / factor < asks ? in_flight / factor : asks;
  }
};

// The least factor f >= 1 of the latency at which all get sum(rate(f)) = u B of peak bandwidth B,
// with f of that u; where nobody waits before all of it is used, sum(rate(f)) <= B. Precondition:
// in_flight is finite.
double settled_latency(const chip::DeviceMemory& memory, std::span<const MemoryUser> users);

}  // namespace cairn::kernel
