// Costs that were computed once: layers, steps and trials repeat the same shapes.
#pragma once

#include <array>
#include <cstddef>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

// For one device; any number of threads may ask. What it gives stays where it is as long as the
// cache lives.
class Cache {
 public:
  explicit Cache(chip::Device device) : device_(std::move(device)) {}

  const Cost& cost(const Work& work);

  [[nodiscard]] const chip::Device& device() const { return device_; }

 private:
  using Key = std::array<double, 22>;

  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  // Shapes are spread over these, so that threads seldom meet at one lock.
  struct Shard {
    std::shared_mutex mutex{};
    std::unordered_map<Key, Cost, Hash> known{};
  };

  chip::Device device_;
  std::array<Shard, 16> shards_{};
};

}  // namespace cairn::kernel
