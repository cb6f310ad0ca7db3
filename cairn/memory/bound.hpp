// The most memory a device of a stage can use, however long its transfers and exchanges take.
#pragma once

#include <cstddef>
#include <vector>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

struct MemoryBound {
  // By slot: the most in use then. Slot 2 k is the time before kernel k, after the one before it;
  // slot 2 k + 1 the time while it runs; the last slot is the time after all of them.
  std::vector<Bytes> at{};
  std::vector<std::size_t> kernels{};  // actions, in order
  std::size_t peak = 0;                // slot
  // By life: the first slot it may reach into, and the first that it is sure not to; of other
  // stages: none.
  std::vector<std::pair<std::size_t, std::size_t>> span{};
};

// A kernel begins when the one before has ended. A transfer has begun, at the earliest, when the
// kernels it waits for have ended, and has ended, at the latest, when a kernel that waits for it
// begins. What other stages do may happen at any time.
MemoryBound memory_bound(const Schedule& schedule, std::uint32_t stage);

// The kernel of the bound's peak, or the one that comes next.
std::size_t kernel_at_peak(const MemoryBound& bound);

}  // namespace cairn::memory
