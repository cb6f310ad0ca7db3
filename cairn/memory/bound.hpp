// The most memory a schedule can use, however long its transfers and exchanges take.
#pragma once

#include <cstddef>
#include <vector>

#include "cairn/memory/schedule.hpp"

namespace cairn::memory {

struct MemoryBound {
  std::vector<Bytes> at{};             // by kernel in order: the most in use while it runs
  std::vector<std::size_t> kernels{};  // the actions that these are
  std::size_t peak = 0;                // position in `at`
  // By life: the first kernel it may overlap with, and the one that is sure to come after it.
  std::vector<std::pair<std::size_t, std::size_t>> span{};
};

// A kernel begins when the one before has ended. A transfer has begun, at the earliest, when the
// kernels it waits for have ended, and has ended, at the latest, when a kernel that waits for it
// begins.
MemoryBound memory_bound(const Schedule& schedule);

}  // namespace cairn::memory
