#include "cairn/chip/fabric_interface.hpp"

namespace cairn::chip {

const Schema<FabricInterface>& schema_of(const FabricInterface*) {
  static const auto kSchema =
      Schema<FabricInterface>("fabric", "interface of the device to the network")
          .optional("per_core", &FabricInterface::per_core, "bytes that a core copies per cycle")
          .positive()
          .optional("bus",
                    &FabricInterface::bus,
                    "bus between memory and links, each direction (absent: unlimited)")
          .positive()
          .optional("engine", &FabricInterface::engine, "collectives engine (absent: none)");
  return kSchema;
}

}  // namespace cairn::chip
