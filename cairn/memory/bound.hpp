// Upper bound of the memory of a device of a stage, for any duration of transfers and exchanges.
#pragma once

#include <cstddef>
#include <vector>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

struct MemoryBound {
  // Maximum memory in use, by slot. Slot 2 k is the time between kernels k - 1 and k, slot 2 k + 1
  // the time while kernel k runs, the last slot the time after all kernels.
  std::vector<Bytes> at{};
  std::vector<std::size_t> kernels{};  // actions, in order; a repeated pass counts as one
  std::size_t peak = 0;                // slot
  // By live range: the first slot it may be in, and the first slot after it has certainly ended;
  // empty for other stages.
  std::vector<std::pair<std::size_t, std::size_t>> span{};
};

// A kernel begins when the previous one has ended. A transfer begins at the earliest when the
// kernels it waits for have ended, and ends at the latest when a kernel that waits for it begins.
// Actions of other stages may happen at any time.
MemoryBound memory_bound(const Schedule& schedule, std::uint32_t stage);

// The kernel at the bound's peak, or the next one.
const Action& kernel_at_peak(const Schedule& schedule, const MemoryBound& bound);

}  // namespace cairn::memory
