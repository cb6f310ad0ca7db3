// Where a device meets the network: what its cores move on behalf of collectives, and the bus
// between its memory and its links.
#pragma once

#include <optional>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/collectives_engine.hpp"

namespace cairn::chip {

struct FabricInterface {
  Bytes per_core{64.0};                 // that a core moves in a cycle
  std::optional<BytesPerSecond> bus{};  // each direction; absent: never a limit
  std::optional<CollectivesEngine> engine{};
};

const Schema<FabricInterface>& schema_of(const FabricInterface*);

}  // namespace cairn::chip
