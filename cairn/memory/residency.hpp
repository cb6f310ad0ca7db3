// The residency of each storage between the forward and the backward pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"

namespace cairn::memory {

enum class Residency : std::uint8_t {
  kKept,
  kOffloaded,   // to the backing store, and prefetched
  kRecomputed,  // by the operators that wrote it
};

struct RecomputeContext {
  const plan::Plan& plan;
  const Liveness& live;
  std::span<const kernel::Cost> costs;  // by operator
  BytesPerSecond store_bandwidth;
  const Compression& compression;
};

// Whether it can be offloaded at all: it is used in both passes, and is not a weight.
bool may_offload(const StorageUse& use, const Policy& policy);

// Bytes transferred in one direction, after compression.
Bytes offloaded_bytes(const plan::Plan& plan,
                      const StorageUse& use,
                      const Compression& compression);

// True if the operators that wrote it are cheap, read only storage that is kept or offloaded (not
// recomputed itself), and take less time than offloading and prefetching it.
bool worth_recomputing(Id<model::Tensor> storage,
                       const RecomputeContext& context,
                       const std::vector<Residency>& residency);

// The residency of all storages; kKept with kOnDemand, which depends on capacity.
std::vector<Residency> decide_residency(const Policy& policy, const RecomputeContext& context);

}  // namespace cairn::memory
