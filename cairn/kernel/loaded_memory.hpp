// Main memory under load: latency grows with the bandwidth in use.
#pragma once

#include <span>

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// Latency relative to an idle memory. Requests queue at the memory's channels with constant service
// time (M/D/1, Pollaczek-Khinchine); at utilization u < 1 of the peak bandwidth and idle latency l:
//   1 + (w / l) u / (1 - u)
// with w the device's `waiting`, half the service time.
double latency_factor(const chip::DeviceMemory& memory, double utilization);

// A requester: demands up to `asks`, limited by its bytes in flight, given as the rate `in_flight`
// that they sustain on an idle memory.
struct MemoryUser {
  BytesPerSecond asks{};
  BytesPerSecond in_flight{};

  [[nodiscard]] BytesPerSecond rate(double factor) const {
    return in_flight / factor < asks ? in_flight / factor : asks;
  }
};

// The smallest latency factor f >= 1 with sum(rate(f)) = u B at peak bandwidth B, where f is the
// factor at u; without queueing delay (`waiting` 0), sum(rate(f)) <= B. Precondition: in_flight is
// finite.
double settled_latency(const chip::DeviceMemory& memory, std::span<const MemoryUser> users);

}  // namespace cairn::kernel
