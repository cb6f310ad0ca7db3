// Memoized costs: layers, steps and trials repeat the same shapes.
#pragma once

#include <array>
#include <cstddef>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

// For one device; thread-safe. Returned references stay valid as long as the cache lives.
class Cache {
 public:
  explicit Cache(chip::Device device) : device_(std::move(device)) {}

  const Cost& cost(const Work& work);

  [[nodiscard]] const chip::Device& device() const { return device_; }

 private:
  using Key = std::array<double, 23>;

  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  // Keys are sharded to reduce lock contention.
  struct Shard {
    std::shared_mutex mutex{};
    std::unordered_map<Key, Cost, Hash> known{};
  };

  chip::Device device_;
  std::array<Shard, 16> shards_{};
};

}  // namespace cairn::kernel
