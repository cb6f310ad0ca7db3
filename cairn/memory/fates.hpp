// What becomes of each piece of memory between the forward and the backward pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/memory/policy.hpp"

namespace cairn::memory {

enum class Fate : std::uint8_t {
  kStays,
  kMoved,   // to the backing store and back
  kRemade,  // by the operators that made it
};

struct Remaking {
  const plan::Plan& plan;
  const Liveness& live;
  std::span<const kernel::Cost> costs;  // by operator
  BytesPerSecond store_bandwidth;
  const Compression& compression;
};

// May be moved at all: used in both passes, and not a weight.
bool may_move(const StorageUse& use, const Policy& policy);

// What goes over the links, one way.
Bytes moved_bytes(const plan::Plan& plan, const StorageUse& use, const Compression& compression);

// True if the operators that made it are short, read only what stays or is moved (nothing that is
// remade itself), and take less time than moving it there and back.
bool worth_remaking(Id<model::Tensor> storage,
                    const Remaking& remaking,
                    const std::vector<Fate>& fates);

// Of all storages, for the policies that do not depend on capacity.
std::vector<Fate> decide_fates(const Policy& policy, const Remaking& remaking);

}  // namespace cairn::memory
