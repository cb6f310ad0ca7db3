#include "cairn/chip/fabric_interface.hpp"

namespace cairn::chip {

const Schema<FabricInterface>& schema_of(const FabricInterface*) {
  static const auto kSchema =
      Schema<FabricInterface>("fabric", "where the device meets the network")
          .optional("per_core", &FabricInterface::per_core, "that a core moves in a cycle")
          .positive()
          .optional("bus",
                    &FabricInterface::bus,
                    "between memory and links, each direction (absent: never a limit)")
          .positive()
          .optional("engine", &FabricInterface::engine, "that executes collectives (absent: none)");
  return kSchema;
}

}  // namespace cairn::chip
