#include "cairn/kernel/sharing.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "cairn/kernel/loaded_memory.hpp"
#include "cairn/kernel/tiling.hpp"
#include "cairn/kernel/waves.hpp"

namespace cairn::kernel {

namespace {

constexpr double kNoticeable = 1.005;
constexpr Slowdown kSerialized{.by = std::numeric_limits<double>::infinity(),
                               .most = SlowdownCause::kSerialized};

// On the remaining cores, without memory contention.
Slowdown with_fewer_cores(const Work& work,
                          const Cost& cost,
                          double taken,
                          const chip::Device& device) {
  const double left = device.cores.count - taken;
  if (left < 1.0) {
    return kSerialized;
  }
  const double fewer = device.cores.count / left;
  const auto clusters = clusters_of_tiles(work, device);
  double compute = fewer;
  if (clusters) {
    const double idle = clusters_left(device, 0.0);
    const double room = clusters_left(device, taken);
    if (room == 0.0) {
      return kSerialized;
    }
    compute = waves_of(*clusters, room, idle) / waves_of(*clusters, idle, idle);
  }
  const BytesPerSecond bandwidth =
      bandwidth_of(device.memory) * device.library_kernel(work.op).bandwidth;
  Seconds alone = std::max(cost.compute, cost.memory / bandwidth);
  Seconds beside = std::max(cost.compute * compute, cost.memory / bandwidth);
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    const bool global = device.levels[i].scope == chip::Scope::kGlobal;
    alone = std::max(alone, cost.levels[i].time);
    beside = std::max(beside, cost.levels[i].time * (global ? 1.0 : fewer));
  }
  const double by = 1.0 + (beside - alone) / cost.time;
  return {.by = by, .most = clusters ? SlowdownCause::kWaves : SlowdownCause::kCores};
}

// Bytes in flight of a requester with rate `alone`, as the rate they sustain on an idle memory.
BytesPerSecond in_flight_of(BytesPerSecond alone, const chip::DeviceMemory& memory) {
  constexpr double kAlmostAll = 0.999;
  return alone * latency_factor(memory, std::min(kAlmostAll, alone / memory.bandwidth));
}

// The same for a kernel with demand `asks` on the remaining cores: the maximum of its threads
// there, if known, and on all cores at least what its rate alone needs.
BytesPerSecond max_in_flight(const Work& work,
                             BytesPerSecond asks,
                             BytesPerSecond alone,
                             double left,
                             const chip::Device& device) {
  if (!device.cores.in_flight || device.memory.latency == Seconds(0.0)) {
    return in_flight_of(asks, device.memory);
  }
  const double occupancy = device.library_kernel(work.op).occupancy;
  const BytesPerSecond threads =
      *device.cores.in_flight * (device.cores.count * occupancy) / device.memory.latency;
  return std::max(threads, in_flight_of(alone, device.memory)) * (left / device.cores.count);
}

// The product of two slowdowns, with the cause of the larger one.
Slowdown combined(Slowdown one, Slowdown other) {
  const Slowdown& more = other.by > one.by ? other : one;
  return {.by = one.by * other.by,
          .most = more.by < kNoticeable ? SlowdownCause::kNone : more.most};
}

}  // namespace

const char* to_text(SlowdownCause cause) {
  switch (cause) {
    case SlowdownCause::kCores:
      return "cores";
    case SlowdownCause::kWaves:
      return "waves";
    case SlowdownCause::kMemory:
      return "memory";
    case SlowdownCause::kClock:
      return "clock";
    case SlowdownCause::kSerialized:
      return "turn";
    case SlowdownCause::kNone:
      break;
  }
  return "nothing";
}

Shared share(const Work& work,
             const Cost& cost,
             Seconds alone,
             const Resident& resident,
             const chip::Device& device) {
  if (cost.time == Seconds(0.0)) {
    return {};
  }
  const Slowdown fewer = with_fewer_cores(work, cost, resident.cores, device);
  if (fewer.most == SlowdownCause::kSerialized) {
    return {.kernel = fewer};
  }
  const BytesPerSecond asks = cost.memory / (alone * fewer.by);
  const double left = device.cores.count - resident.cores;
  const std::array<MemoryUser, 2> users{
      MemoryUser{asks, max_in_flight(work, asks, cost.memory / alone, left, device)},
      MemoryUser{resident.alone, in_flight_of(resident.alone, device.memory) * cost.clock}};
  const double factor = settled_latency(device.memory, users);
  const double starved = asks > BytesPerSecond(0.0) ? asks / users[0].rate(factor) : 1.0;
  const bool streams = resident.alone > BytesPerSecond(0.0);
  const double later = streams ? resident.alone / users[1].rate(factor) * cost.clock : 1.0;
  return {.kernel = combined(fewer, {.by = starved, .most = SlowdownCause::kMemory}),
          .stream = combined({.by = later, .most = SlowdownCause::kMemory},
                             {.by = 1.0 / cost.clock, .most = SlowdownCause::kClock})};
}

Ends ends_of(Seconds kernel_alone, Seconds stream_alone, const Shared& shared) {
  const Seconds kernel = kernel_alone * shared.kernel.by;
  const Seconds stream = stream_alone * shared.stream.by;
  if (kernel < stream) {
    return {.kernel = kernel, .stream = kernel + stream_alone - kernel / shared.stream.by};
  }
  return {.kernel = stream + kernel_alone - stream / shared.kernel.by, .stream = stream};
}

}  // namespace cairn::kernel
