#include "cairn/kernel/loaded_memory.hpp"

namespace cairn::kernel {

namespace {

double waiting_ratio(const chip::DeviceMemory& memory) {
  return memory.latency > Seconds(0.0) ? memory.waiting / memory.latency : 0.0;
}

// Inverse of latency_factor: the utilization at which latency has grown by `factor`.
double utilization_at(const chip::DeviceMemory& memory, double factor) {
  const double ratio = waiting_ratio(memory);
  return ratio == 0.0 ? 1.0 : (factor - 1.0) / (factor - 1.0 + ratio);
}

}  // namespace

double latency_factor(const chip::DeviceMemory& memory, double utilization) {
  return 1.0 + waiting_ratio(memory) * utilization / (1.0 - utilization);
}

double settled_latency(const chip::DeviceMemory& memory, std::span<const MemoryUser> users) {
  constexpr int kHalvings = 60;
  const auto too_small = [&](double factor) {
    BytesPerSecond sum(0.0);
    for (const MemoryUser& user : users) {
      sum += user.rate(factor);
    }
    return sum > memory.bandwidth * utilization_at(memory, factor);
  };
  if (!too_small(1.0)) {
    return 1.0;
  }
  double low = 1.0;
  double high = 2.0;
  while (too_small(high)) {
    low = high;
    high *= 2.0;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (too_small(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace cairn::kernel
