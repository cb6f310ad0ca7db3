// A thread-safe cache with a bounded number of entries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace cairn {

// Keys are compared by ==, not by hash. Beyond kCapacity the oldest entry is evicted; its value
// stays alive while a caller holds it.
template <class Key, class Value, std::size_t kCapacity>
class BoundedCache {
 public:
  // The cached value of `key`, or else the result of make(). Two threads may make the same value at
  // once: the first to finish is cached.
  template <class Make>
  std::shared_ptr<Value> get(const Key& key, const Make& make) {
    if (auto known = find(key)) {
      return known;
    }
    auto made = std::make_shared<Value>(make());
    const std::lock_guard lock(mutex_);
    const auto first = std::ranges::find(entries_, key, &Entry::key);
    if (first != entries_.end()) {
      return first->value;
    }
    if (entries_.size() == kCapacity) {
      entries_.pop_back();
    }
    return entries_.emplace_front(Entry{key, std::move(made)}).value;
  }

 private:
  struct Entry {
    Key key;
    std::shared_ptr<Value> value;
  };

  std::shared_ptr<Value> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    return found == entries_.end() ? nullptr : found->value;
  }

  std::mutex mutex_{};
  std::deque<Entry> entries_{};  // latest first
};

}  // namespace cairn
