#include "cairn/kernel/cost.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/kernel/attention.hpp"
#include "cairn/kernel/tiling.hpp"
#include "cairn/kernel/unaligned.hpp"
#include "cairn/kernel/windows.hpp"

namespace cairn::kernel {

namespace {

// Everything passes every level once, and cores work for so many cycles beside.
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

// Of the device's library; one that takes what the operator asks for where it says nothing.
chip::LibraryKernel library_kernel(const Work& work, const chip::Device& device) {
  const auto found = std::ranges::find_if(
      device.kernels, [&](const chip::LibraryKernel& kernel) { return work.op == kernel.op; });
  return found == device.kernels.end() ? chip::LibraryKernel{} : *found;
}

Seconds latency_of(const chip::Device& device) {
  Seconds latency = device.memory.latency;
  for (const chip::Level& level : device.levels) {
    latency = std::max(latency, level.latency);
  }
  return latency;
}

// How much slower than full clock the cores are, that do so many products in that time at full
// clock, again and again. Dynamic power is that of the products, each with energy by the square of
// the voltage, which goes with the clock: rate f^2 <= sustained rate at full clock, and rate goes
// with f.
double slow_down(const Work& work, const chip::Device& device, Seconds busy) {
  const double rate = work.macs() / (device.macs_per_second(work.precision) * busy.si());
  return std::max(1.0, std::cbrt(rate / device.cores.sustained));
}

// What follows the clock takes longer.
void slow(double factor, const chip::Device& device, Cost& cost) {
  cost.compute = cost.compute * factor;
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    if (device.levels[i].per_cycle) {
      cost.levels[i].time = cost.levels[i].time * factor;
    }
  }
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
  Cost result;
  if (asked.bytes() == Bytes(0.0) && asked.macs() == 0.0 && asked.vector_ops == 0.0) {
    return result;
  }
  const chip::LibraryKernel library = library_kernel(asked, device);
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
    slow(slow_down(work, device, busy + latency + device.launch), device, result);
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
  if (std::max(latency, device.launch) > busy) {
    result.bound_by = {.kind = latency > device.launch ? BoundBy::Kind::kLatency
                                                       : BoundBy::Kind::kLaunch};
  }
  result.time = busy + latency + device.launch;
  result.utilization = asked.macs() / (device.macs_per_second(work.precision) * result.time.si());
  return result;
}

}  // namespace cairn::kernel
