#include "cairn/tech/on_chip_memory.hpp"

namespace cairn::tech {

namespace {

constexpr double kMostOverhead = 0.99;  // cells must remain

}  // namespace

const Schema<OnChipMemory>& schema_of(const OnChipMemory*) {
  using M = OnChipMemory;
  static const auto kSchema =
      Schema<M>("on-chip memory", "memory on the die, in banks")
          .optional("description", &M::description, "one line")
          .required("source", &M::source, "where its figures are from", "a paper")
          .required("cell", &M::cell, "what holds a bit", "sram")
          .required("node", &M::node, "technology node", "12 nm")
          .positive()
          .required("bank_capacity", &M::bank_capacity, "of one bank", "32 KiB")
          .positive()
          .required("energy", &M::energy, "to read or write a bit", "130 fJ/bit")
          .positive()
          .required("static_power", &M::static_power, "while a bit is held", "8.4 pW/bit")
          .not_negative()
          .required("area", &M::area, "of a bit's cell", "0.064 um2/bit")
          .positive()
          .optional("overhead", &M::overhead, "part of the area that is not cells")
          .not_negative()
          .at_most(kMostOverhead)
          .optional("controller_area", &M::controller_area, "of one link from a bank to a bundle")
          .not_negative()
          .optional("controller_power", &M::controller_power, "of one bank")
          .not_negative()
          .optional("latency", &M::latency, "until the first byte")
          .not_negative()
          .optional("utilization", &M::utilization, "the most of the bandwidth that is used")
          .positive()
          .at_most(1);
  return kSchema;
}

}  // namespace cairn::tech
