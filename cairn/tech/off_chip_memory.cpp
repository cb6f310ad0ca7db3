#include "cairn/tech/off_chip_memory.hpp"

namespace cairn::tech {

const Schema<OffChipMemory>& schema_of(const OffChipMemory*) {
  using M = OffChipMemory;
  static const auto kSchema =
      Schema<M>("off-chip memory", "memory outside the die: stacks, chips or DIMMs")
          .optional("description", &M::description, "one line")
          .required("source", &M::source, "where its figures are from", "a standard")
          .required("capacity", &M::capacity, "capacity of one device", "4 GiB")
          .positive()
          .required("area", &M::area, "package area of one device", "100 mm2")
          .positive()
          .required("links", &M::links, "data wires of one device", "1024")
          .at_least(1)
          .required("rate", &M::rate, "bandwidth of one link at nominal voltage", "2 Gb/s")
          .positive()
          .required("energy", &M::energy, "energy per bit read or written", "4.2 pJ/bit")
          .positive()
          .required("static_power", &M::static_power, "power per bit stored", "0.6 pW/bit")
          .not_negative()
          .required("controller_area", &M::controller_area, "die area per device", "5 mm2")
          .positive()
          .required(
              "links_per_length", &M::links_per_length, "links per length of die edge", "400 /mm")
          .positive()
          .required("voltage", &M::voltage, "operating voltages", "{nominal: 1.2 V, ...}")
          .required("latency", &M::latency, "time to the first byte", "100 ns")
          .not_negative()
          .optional("utilization", &M::utilization, "maximum part of the bandwidth used")
          .positive()
          .at_most(1)
          .optional("cost", &M::cost, "price of one device")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
