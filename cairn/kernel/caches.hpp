// Caches of many devices: those whose kernels are the same have one, as chips that differ in their
// links alone.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "cairn/kernel/cache.hpp"

namespace cairn::kernel {

// Any number of threads may ask. The devices that were asked for first are forgotten when there are
// many: of a chip that is another in every trial nothing is asked for again. Who has a cache keeps
// it.
class Caches {
 public:
  explicit Caches(std::size_t most = 64) : most_(most) {}

  std::shared_ptr<Cache> of(const chip::Device& device);

 private:
  std::size_t most_;
  std::mutex mutex_{};
  std::deque<std::shared_ptr<Cache>> known_{};  // from the latest
};

}  // namespace cairn::kernel
