#include "cairn/kernel/cost.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/kernel/attention.hpp"
#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/kernel/tiling.hpp"
#include "cairn/kernel/unaligned.hpp"
#include "cairn/kernel/windows.hpp"

namespace cairn::kernel {

namespace {

// Every byte passes every level once, while cores compute for `matrix_cycles` and the vector work.
Mapping streamed(const Work& work, const chip::Device& device, double matrix_cycles) {
  const chip::Cores& cores = device.cores;
  const double vector_cycles =
      work.vector_ops / (cores.count * cores.vector.si()) / cores.utilization;
  Mapping mapping{.compute = (matrix_cycles + vector_cycles) / cores.frequency,
                  .memory = work.bytes()};
  std::fill_n(mapping.levels.begin(), device.levels.size(), work.bytes());
  return mapping;
}

Mapping mapping_of(const Work& work, const chip::Device& device) {
  if (!work.contraction && !work.attention) {
    return streamed(work, device, 0.0);
  }
  if (const auto& utilization = device.cores.fixed_utilization) {
    const double macs_per_cycle =
        device.cores.count * device.macs_per_cycle_and_core(work.precision);
    return streamed(work, device, work.macs() / (macs_per_cycle * *utilization));
  }
  if (work.attention) {
    return attention_mapping(work, device);
  }
  return is_unaligned(work, device) ? unaligned_mapping(work, device) : best_mapping(work, device);
}

Seconds latency_of(const chip::Device& device) {
  Seconds latency = device.memory.latency;
  for (const chip::Level& level : device.levels) {
    latency = std::max(latency, level.latency);
  }
  return latency;
}

// Full clock over the clock that the power limit allows, if the work runs repeatedly and takes
// `busy` at full clock. Dynamic power is that of the MACs; energy per MAC scales with V^2, and V
// with f: rate f^2 <= sustained rate at full clock, and rate scales with f.
double clock_slowdown(const Work& work, const chip::Device& device, double power, Seconds busy) {
  const double rate = work.macs() / (device.macs_per_second(work.precision) * busy.si());
  return std::max(1.0, std::cbrt(rate * power / device.cores.sustained));
}

// Scales the times that depend on the clock.
void slow(double factor, const chip::Device& device, Cost& cost) {
  cost.compute = cost.compute * factor;
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    if (device.levels[i].per_cycle) {
      cost.levels[i].time = cost.levels[i].time * factor;
    }
  }
}

// One step of a recurrent layer. The previous state is cached if the outermost level retains that
// much; the weight too, if a whole step fits.
Work one_step(Work work, const chip::Device& device) {
  const double part = 1.0 / work.turns;
  work.turns = 1.0;
  work.vector_ops *= part;
  work.left = work.left * part;
  work.right = work.right * part;
  work.other = work.other * part;
  const Bytes room = retained_capacity(device);
  const Bytes again = work.bytes() <= room ? work.left + work.right : work.left;
  work.held = work.held * part + (again <= room ? again : Bytes(0.0));
  return work;
}

Cost times(double count, Cost cost) {
  cost.time = cost.time * count;
  cost.compute = cost.compute * count;
  cost.memory = cost.memory * count;
  for (Traffic& level : cost.levels) {
    level = {.bytes = level.bytes * count, .time = level.time * count};
  }
  return cost;
}

BoundBy bound_by_level(const std::string& name) {
  BoundBy bound{.kind = BoundBy::Kind::kLevel};
  std::copy_n(name.begin(), std::min(name.size(), chip::kLongestLevelName), bound.level.begin());
  return bound;
}

}  // namespace

std::string to_text(const BoundBy& bound) {
  switch (bound.kind) {
    case BoundBy::Kind::kCompute:
      return "compute";
    case BoundBy::Kind::kLevel:
      return std::string(bound.level.data()) + " bandwidth";
    case BoundBy::Kind::kMemory:
      return "memory bandwidth";
    case BoundBy::Kind::kLaunch:
      return "launch";
    case BoundBy::Kind::kLatency:
      break;
  }
  return "latency";
}

Cost cost(const Work& asked, const chip::Device& device) {
  if (asked.turns > 1.0) {
    return times(asked.turns, cost(one_step(asked, device), device));
  }
  Cost result;
  if (asked.bytes() == Bytes(0.0) && asked.macs() == 0.0 && asked.vector_ops == 0.0) {
    return result;
  }
  const chip::LibraryKernel library = device.library_kernel(asked.op);
  Work work = as_run(asked, device);
  work.vector_ops *= library.work;
  const Mapping mapping = mapping_of(work, device);
  result.memory = std::max(Bytes(0.0), mapping.memory - work.held);
  result.tiling = mapping.tiling;
  result.compute = mapping.compute / library.throughput;
  const Seconds memory = result.memory / (bandwidth_of(device.memory) * library.bandwidth);
  const Seconds latency = latency_of(device) + library.latency;
  Seconds busy = std::max(result.compute, memory);
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    result.levels[i] = {.bytes = mapping.levels[i],
                        .time = time_of(mapping.levels[i], device.bandwidth_of(device.levels[i]))};
    busy = std::max(busy, result.levels[i].time);
  }
  if (work.macs() > 0.0 && device.cores.sustained < 1.0) {
    const Seconds time = std::max(busy, library.least) + latency + device.launch;
    const double factor = clock_slowdown(work, device, library.power, time);
    result.clock = 1.0 / factor;
    slow(factor, device, result);
  }
  busy = result.compute;
  result.bound_by = {.kind = BoundBy::Kind::kCompute};
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    if (result.levels[i].time > busy) {
      busy = result.levels[i].time;
      result.bound_by = bound_by_level(device.levels[i].name);
    }
  }
  if (memory > busy) {
    busy = memory;
    result.bound_by = {.kind = BoundBy::Kind::kMemory};
  }
  if (std::max({latency, device.launch, library.least}) > busy) {
    result.bound_by = {.kind = device.launch > std::max(latency, library.least)
                                   ? BoundBy::Kind::kLaunch
                                   : BoundBy::Kind::kLatency};
  }
  result.time = std::max(busy, library.least) + latency + device.launch;
  if (asked.macs() > 0.0) {
    result.utilization = asked.macs() / (device.macs_per_second(work.precision) * result.time.si());
  }
  return result;
}

}  // namespace cairn::kernel
