// Costs that were computed once: layers, steps and trials repeat the same shapes.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

// For one device; not shared between threads.
class Cache {
 public:
  explicit Cache(chip::Device device) : device_(std::move(device)) {}

  const Cost& cost(const Work& work);

  [[nodiscard]] const chip::Device& device() const { return device_; }

 private:
  using Key = std::array<double, 9>;

  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  chip::Device device_;
  std::unordered_map<Key, Cost, Hash> known_;
};

}  // namespace cairn::kernel
