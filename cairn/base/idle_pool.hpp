// Objects that are expensive to make and are used by one thread at a time: they wait in a pool
// between two uses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace cairn {

// Thread-safe. Holds at most kCapacity idle objects; beyond that the one that waits longest is
// destroyed.
template <class T, std::size_t kCapacity>
class IdlePool {
 public:
  // An idle object for which `fits(object)`, or else the unique_ptr that make() returns. It returns
  // to the pool, which must outlive it, when its last owner goes.
  template <class Fits, class Make>
  std::shared_ptr<T> take(const Fits& fits, const Make& make) {
    std::unique_ptr<T> object = take_idle(fits);
    if (object == nullptr) {
      object = make();
    }
    return {object.release(), [this](T* used) { put_back(std::unique_ptr<T>(used)); }};
  }

 private:
  template <class Fits>
  std::unique_ptr<T> take_idle(const Fits& fits) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(idle_, [&](const std::unique_ptr<T>& idle) { return fits(*idle); });
    if (found == idle_.end()) {
      return nullptr;
    }
    std::unique_ptr<T> object = std::move(*found);
    idle_.erase(found);
    return object;
  }

  void put_back(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() == kCapacity) {
      idle_.pop_back();
    }
    idle_.push_front(std::move(object));
  }

  std::mutex mutex_{};
  std::deque<std::unique_ptr<T>> idle_{};  // latest first
};

}  // namespace cairn
