#include "cairn/chip/written_template.hpp"

namespace cairn::chip {

namespace {

constexpr const char* kArea = "part of the chip's area, but for that of its engine";
constexpr const char* kPower = "part of the power, likewise";
constexpr const char* kPerimeter = "part of the chip's edge";

// The shares that T has, declared last.
template <class T>
Schema<T> with_shares(Schema<T> schema) {
  schema.optional("area", &T::area, kArea).not_negative().at_most(1);
  schema.optional("power", &T::power, kPower).not_negative().at_most(1);
  if constexpr (requires(T t) { t.perimeter; }) {
    schema.optional("perimeter", &T::perimeter, kPerimeter).not_negative().at_most(1);
  }
  return schema;
}

}  // namespace

const Schema<WrittenCore>& schema_of(const WrittenCore*) {
  static const auto kSchema = with_shares(
      Schema<WrittenCore>("core", "what computes")
          .required("technology",
                    &WrittenCore::technology,
                    "of an MCU, the smallest compute unit",
                    "tensor-core-n12")
          .optional(
              "mcus_per_bundle", &WrittenCore::mcus_per_bundle, "that share a level of memory")
          .at_least(1)
          .optional("dataflow", &WrittenCore::dataflow, "the operand that stays in an MCU"));
  return kSchema;
}

const Schema<WrittenLevel>& schema_of(const WrittenLevel*) {
  static const auto kSchema = with_shares(
      Schema<WrittenLevel>("level", "on-chip memory")
          .required("name", &WrittenLevel::name, "what results call it", "l2")
          .required("technology", &WrittenLevel::technology, "of its banks", "sram-l2-n12")
          .optional("scope", &WrittenLevel::scope, "who shares a part of it"));
  return kSchema;
}

const Schema<WrittenMainMemory>& schema_of(const WrittenMainMemory*) {
  static const auto kSchema =
      with_shares(Schema<WrittenMainMemory>("main memory", "memory beside the chip")
                      .required("technology", &WrittenMainMemory::technology, "of it", "hbm2"));
  return kSchema;
}

const Schema<WrittenNetwork>& schema_of(const WrittenNetwork*) {
  static const auto kSchema = with_shares(
      Schema<WrittenNetwork>("links", "links that leave the chip")
          .required("technology", &WrittenNetwork::technology, "of a link", "nvlink-4")
          .optional("topology", &WrittenNetwork::topology, "over which neighbours links divide"));
  return kSchema;
}

const Schema<WrittenNetworks>& schema_of(const WrittenNetworks*) {
  static const auto kSchema =
      Schema<WrittenNetworks>("network", "links that leave the chip")
          .optional("intra_package", &WrittenNetworks::intra_package, "to chips in the package")
          .optional("inter_package", &WrittenNetworks::inter_package, "to other packages");
  return kSchema;
}

const Schema<WrittenTemplate>& schema_of(const WrittenTemplate*) {
  using T = WrittenTemplate;
  static const auto kSchema =
      Schema<T>("template", "what a chip is composed of, and its budgets")
          .optional("name", &T::name, "what results call it")
          .optional("description", &T::description, "one line")
          .optional("source", &T::source, "where its figures are from")
          .required("chip_area", &T::chip_area, "of the die", "815 mm2")
          .positive()
          .required("package_area", &T::package_area, "of die and memory devices", "1230 mm2")
          .positive()
          .required("power", &T::power, "of all of it", "300 W")
          .positive()
          .optional("node", &T::node, "scale logic and on-chip memory to this node")
          .positive()
          .optional("scaling", &T::scaling, "the law for that (default crossflow)")
          .optional("package", &T::package, "technology of the package")
          .required("core", &T::core, "what computes", "{technology: tensor-core-n12, ...}")
          .optional("levels", &T::levels, "on-chip memory, from the innermost")
          .required("main_memory", &T::main_memory, "beside the chip", "{technology: hbm2, ...}")
          .optional("network", &T::network, "links that leave the chip")
          .optional("fabric",
                    &T::fabric,
                    "where it meets the network; an engine takes its area and power first");
  return kSchema;
}

}  // namespace cairn::chip
