#include "cairn/tech/off_chip_memory.hpp"

namespace cairn::tech {

const Schema<OffChipMemory>& schema_of(const OffChipMemory*) {
  using M = OffChipMemory;
  static const auto kSchema =
      Schema<M>("off-chip memory", "memory beside the die: stacks, chips or DIMMs")
          .optional("description", &M::description, "one line")
          .required("source", &M::source, "where its figures are from", "a standard")
          .required("capacity", &M::capacity, "of one device", "4 GiB")
          .positive()
          .required("area", &M::area, "that one device takes in the package", "100 mm2")
          .positive()
          .required("links", &M::links, "data wires of one device", "1024")
          .at_least(1)
          .required("rate", &M::rate, "of one link at nominal voltage", "2 Gb/s")
          .positive()
          .required("energy", &M::energy, "to read or write a bit", "4.2 pJ/bit")
          .positive()
          .required("static_power", &M::static_power, "to hold a bit", "0.6 pW/bit")
          .not_negative()
          .required("controller_area", &M::controller_area, "on the die, for one device", "5 mm2")
          .positive()
          .required("links_per_length", &M::links_per_length, "leaving the die's edge", "400 /mm")
          .positive()
          .required("voltage", &M::voltage, "it works at", "{nominal: 1.2 V, ...}")
          .required("latency", &M::latency, "until the first byte", "100 ns")
          .not_negative()
          .optional("utilization", &M::utilization, "the most of the bandwidth that is used")
          .positive()
          .at_most(1)
          .optional("cost", &M::cost, "of one device")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
