// Upper bound of the memory of a device of a stage, for any duration of transfers and exchanges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

struct MemoryBound {
  // Maximum memory in use, by slot. Slot 2 k is the time between kernels k - 1 and k, slot 2 k + 1
  // the time while kernel k runs, the last slot the time after all kernels.
  std::vector<Bytes> at{};
  std::vector<std::size_t> kernels{};  // actions, in order; a repeated pass counts as one
  std::size_t peak = 0;                // slot

  // The slots of a live range.
  struct Span {
    std::uint32_t live_range = 0;  // index in Schedule::live_ranges
    std::size_t begin = 0;         // the first slot it may be in
    std::size_t end = 0;           // the first slot after it has certainly ended
  };

  std::vector<Span> spans{};  // of the stage's live ranges
};

// The slots of actions. A kernel begins when the previous one has ended. A transfer begins at the
// earliest when the kernels it waits for have ended, and ends at the latest when a kernel that
// waits for it begins. Actions of other stages may happen at any time.
class ActionSlots {
 public:
  explicit ActionSlots(std::span<const Action> actions);

  // By action: the first slot it may be in, and the first slot after it has certainly ended.
  struct Extent {
    std::vector<std::uint32_t> begins{};
    std::vector<std::uint32_t> ended{};
  };

  // `kernels`: of the stage, in order.
  void find(std::uint32_t stage, std::span<const std::size_t> kernels, Extent& extent) const;

 private:
  // Compact, since each stage walks over all actions.
  std::vector<std::uint32_t> turn_;          // by action: the stage that runs it in turn, if any
  std::vector<std::uint32_t> first_before_;  // by action: range in before_
  std::vector<std::uint32_t> before_;        // actions that it waits for
};

class MemoryBounds {
 public:
  // `schedule` must outlive this.
  explicit MemoryBounds(const Schedule& schedule);

  [[nodiscard]] MemoryBound of(std::uint32_t stage);

 private:
  const Schedule& schedule_;
  ActionSlots slots_;
  ActionSlots::Extent extent_;                           // scratch space
  std::vector<std::vector<std::size_t>> kernels_;        // by stage, in order
  std::vector<std::vector<std::uint32_t>> live_ranges_;  // by stage
};

// The kernel at the bound's peak, or the next one.
const Action& kernel_at_peak(const Schedule& schedule, const MemoryBound& bound);

}  // namespace cairn::memory
