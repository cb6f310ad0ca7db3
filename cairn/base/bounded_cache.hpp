// What was made once, by what it was made of. Any number of threads may ask.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace cairn {

// Keys are compared by ==, so that nothing is found that was made of something else. The oldest
// entry is forgotten when there are more than kCapacity; who has a value keeps it.
template <class Key, class Value, std::size_t kCapacity>
class BoundedCache {
 public:
  // The value of `key`; if there is none, what make() returns. Another thread may make the same at
  // the same time: the first to come back is kept.
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
  std::deque<Entry> entries_{};  // from the latest
};

}  // namespace cairn
