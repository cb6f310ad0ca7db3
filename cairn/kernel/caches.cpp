#include "cairn/kernel/caches.hpp"

#include <algorithm>

namespace cairn::kernel {

std::shared_ptr<Cache> Caches::of(const chip::Device& device) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(known_, [&](const std::shared_ptr<Cache>& cache) {
    return chip::same_for_kernels(cache->device(), device);
  });
  if (found != known_.end()) {
    return *found;
  }
  if (known_.size() >= most_) {
    known_.pop_back();
  }
  return known_.emplace_front(std::make_shared<Cache>(device));
}

}  // namespace cairn::kernel
