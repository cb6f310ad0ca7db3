// The interface of a device to the network: bytes that cores copy for collectives, the bus between
// memory and links, and the collectives engine.
#pragma once

#include <optional>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/collectives_engine.hpp"

namespace cairn::chip {

struct FabricInterface {
  Bytes per_core{64.0};                 // bytes that a core copies per cycle
  std::optional<BytesPerSecond> bus{};  // each direction; absent: unlimited
  std::optional<CollectivesEngine> engine{};
};

const Schema<FabricInterface>& schema_of(const FabricInterface*);

}  // namespace cairn::chip
