#include "cairn/tech/on_chip_memory.hpp"

namespace cairn::tech {

namespace {

constexpr double kMaxOverhead = 0.99;  // cells must remain

}  // namespace

const Schema<OnChipMemory>& schema_of(const OnChipMemory*) {
  using M = OnChipMemory;
  static const auto kSchema =
      Schema<M>("on-chip memory", "memory on the die, in banks")
          .optional("description", &M::description, "one line")
          .required("source", &M::source, "where its figures are from", "a paper")
          .required("cell", &M::cell, "memory cell", "sram")
          .required("node", &M::node, "technology node", "12 nm")
          .positive()
          .required("bank_capacity", &M::bank_capacity, "capacity of one bank", "32 KiB")
          .positive()
          .required("energy", &M::energy, "energy per bit read or written", "130 fJ/bit")
          .positive()
          .required("static_power", &M::static_power, "power per bit stored", "8.4 pW/bit")
          .not_negative()
          .required("area", &M::area, "cell area per bit", "0.064 um2/bit")
          .positive()
          .optional("overhead", &M::overhead, "part of the area outside the cells")
          .not_negative()
          .at_most(kMaxOverhead)
          .optional("controller_area", &M::controller_area, "area of one crossbar link")
          .not_negative()
          .optional("controller_power", &M::controller_power, "power per bank")
          .not_negative()
          .optional("latency", &M::latency, "time to the first byte")
          .not_negative()
          .optional("utilization", &M::utilization, "maximum part of the bandwidth used")
          .positive()
          .at_most(1);
  return kSchema;
}

}  // namespace cairn::tech
