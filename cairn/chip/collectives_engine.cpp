#include "cairn/chip/collectives_engine.hpp"

namespace cairn::chip {

const Schema<EnginePart>& schema_of(const EnginePart*) {
  static const auto kSchema =
      Schema<EnginePart>("part", "a component of a collectives engine")
          .required("name", &EnginePart::name, "name of the part", "ALU")
          .optional("count", &EnginePart::count, "number of identical parts")
          .whole()
          .at_least(1)
          .required("area", &EnginePart::area, "area of one part", "16112 um2")
          .positive()
          .required("power", &EnginePart::power, "power of one part", "7.552 mW")
          .positive();
  return kSchema;
}

const Schema<CollectivesEngine>& schema_of(const CollectivesEngine*) {
  static const auto kSchema =
      Schema<CollectivesEngine>("engine", "collectives engine next to the device's links")
          .optional("sram", &CollectivesEngine::sram, "SRAM capacity (absent: unlimited)")
          .positive()
          .optional("fsms",
                    &CollectivesEngine::fsms,
                    "state machines, one chunk each (absent: unlimited)")
          .whole()
          .at_least(1)
          .at_most(65536)  // allocated one by one
          .optional("alus", &CollectivesEngine::alus, "ALUs for reductions (absent: unlimited)")
          .whole()
          .at_least(1)
          .optional("per_alu", &CollectivesEngine::per_alu, "bytes that an ALU reduces per cycle")
          .positive()
          .optional("chunk", &CollectivesEngine::chunk, "unit of work, held in SRAM as a whole")
          .at_least(Bytes(1.0))
          .optional("packet",
                    &CollectivesEngine::packet,
                    "store-and-forward unit of intermediate devices (absent: none)")
          .positive()
          .optional("split",
                    &CollectivesEngine::split,
                    "how SRAM and state machines are partitioned across phases")
          .optional("order", &CollectivesEngine::order, "order in which collectives issue chunks")
          .optional("parts", &CollectivesEngine::parts, "components, for area and power");
  return kSchema;
}

SquareMetres CollectivesEngine::area() const {
  SquareMetres total(0.0);
  for (const EnginePart& part : parts) {
    total += part.area * part.count;
  }
  return total;
}

Watts CollectivesEngine::power() const {
  Watts total(0.0);
  for (const EnginePart& part : parts) {
    total += part.power * part.count;
  }
  return total;
}

}  // namespace cairn::chip
