// The steps that trigger offloads, prefetches and recomputation, and those that free memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/memory/residency.hpp"

namespace cairn::memory {

// Consecutive kernels of one layer in one pass form a group; background kernels are in none. Groups
// are numbered in each stage.
struct LayerGroups {
  // By stage, then group: the steps of its first and last kernel.
  std::vector<std::vector<std::size_t>> first_kernel{};
  std::vector<std::vector<std::size_t>> last_kernel{};

  // The group of the stage's last kernel up to `step`; the first group before its first kernel.
  [[nodiscard]] std::uint32_t at(std::uint32_t stage, std::size_t step) const;
};

LayerGroups layer_groups(const plan::Plan& plan);

struct TransferTriggers {
  std::vector<std::vector<std::size_t>> recomputed_before{};  // by step: storages
  std::vector<std::vector<std::size_t>> offloads{};    // by step: storages offloaded after it
  std::vector<std::vector<std::size_t>> prefetches{};  // by step: storages prefetched after it
  // By step: storages that it uses last, or last before they are recomputed.
  std::vector<std::vector<std::size_t>> freed{};
};

TransferTriggers find_transfer_triggers(const plan::Plan& plan,
                                        const Liveness& live,
                                        std::span<const Residency> residency,
                                        const LayerGroups& groups,
                                        const Policy& policy);

}  // namespace cairn::memory
