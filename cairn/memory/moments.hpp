// When what does not stay leaves, comes back, or is made again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/memory/fates.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"

namespace cairn::memory {

// Kernels of one layer in one pass, in a row, form a group, those in the background in none; groups
// are counted in each stage.
struct LayerGroups {
  // By stage, then group: the steps of its first and its last kernel.
  std::vector<std::vector<std::size_t>> first_kernel{};
  std::vector<std::vector<std::size_t>> last_kernel{};

  // The group of the stage's last kernel up to `step`; before its first kernel, the first.
  [[nodiscard]] std::uint32_t at(std::uint32_t stage, std::size_t step) const;
};

LayerGroups layer_groups(const plan::Plan& plan);

struct Moments {
  std::vector<std::vector<std::size_t>> remade_before{};  // by step: storages
  std::vector<std::vector<std::size_t>> offloads{};       // by step: storages that leave after it
  std::vector<std::vector<std::size_t>> prefetches{};     // by step: that come back after it
  std::vector<std::size_t>
      last{};  // by storage: the last step that needs it, be it to remake another
};

Moments find_moments(const plan::Plan& plan,
                     const Liveness& live,
                     std::span<const Fate> fates,
                     const LayerGroups& groups,
                     const Policy& policy);

}  // namespace cairn::memory
