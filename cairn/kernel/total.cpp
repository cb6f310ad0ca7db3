#include "cairn/kernel/total.hpp"

#include "cairn/kernel/tiling.hpp"

namespace cairn::kernel {

Total total_of(std::span<const Work> works, const chip::Device& device) {
  constexpr double kFlopsOfMac = 2.0;
  Total total;
  Seconds at_peak(0.0);
  for (const Work& work : works) {
    const Cost one = cost(work, device);
    ++total.kernels;
    total.time += one.time;
    total.compute += one.compute;
    total.flops += Flops(kFlopsOfMac * work.macs() + work.vector_ops);
    total.memory.bytes += one.memory;
    total.memory.time += one.memory / bandwidth_of(device.memory);
    for (std::size_t i = 0; i < device.levels.size(); ++i) {
      total.levels[i].bytes += one.levels[i].bytes;
      total.levels[i].time += one.levels[i].time;
    }
    at_peak += one.time * one.utilization;
    if (total.kernels == 1 || one.time > total.longest.time) {
      total.longest = one;
    }
  }
  total.utilization = total.time > Seconds(0.0) ? at_peak / total.time : 0.0;
  return total;
}

}  // namespace cairn::kernel
