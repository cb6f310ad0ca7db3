#include "cairn/chip/collectives_engine.hpp"

namespace cairn::chip {

const Schema<EnginePart>& schema_of(const EnginePart*) {
  static const auto kSchema = Schema<EnginePart>("part", "of a collectives engine")
                                  .required("name", &EnginePart::name, "what it is", "ALU")
                                  .optional("count", &EnginePart::count, "how many there are")
                                  .whole()
                                  .at_least(1)
                                  .required("area", &EnginePart::area, "of one", "16112 um2")
                                  .positive()
                                  .required("power", &EnginePart::power, "of one", "7.552 mW")
                                  .positive();
  return kSchema;
}

const Schema<CollectivesEngine>& schema_of(const CollectivesEngine*) {
  static const auto kSchema =
      Schema<CollectivesEngine>("engine", "executes collectives beside the device's links")
          .optional("sram", &CollectivesEngine::sram, "of its own (absent: never a limit)")
          .positive()
          .optional("fsms",
                    &CollectivesEngine::fsms,
                    "state machines, each works on one chunk (absent: never a limit)")
          .whole()
          .at_least(1)
          .at_most(65536)  // they are shared out one by one
          .optional("alus", &CollectivesEngine::alus, "that add up (absent: never a limit)")
          .whole()
          .at_least(1)
          .optional("per_alu", &CollectivesEngine::per_alu, "that an ALU adds up in a cycle")
          .positive()
          .optional("chunk", &CollectivesEngine::chunk, "what passes its memory as a whole")
          .at_least(Bytes(1.0))
          .optional("packet",
                    &CollectivesEngine::packet,
                    "that devices on the way store before they send it on (absent: nothing)")
          .positive()
          .optional("split",
                    &CollectivesEngine::split,
                    "of memory and state machines over phases: by bandwidth, by time, or equal")
          .optional("order", &CollectivesEngine::order, "of collectives")
          .optional("parts", &CollectivesEngine::parts, "what it is made of");
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
