#include "cairn/chip/written_template.hpp"

namespace cairn::chip {

namespace {

constexpr const char* kArea = "fraction of the chip area, after the engine";
constexpr const char* kPower = "fraction of the power, after the engine";
constexpr const char* kPerimeter = "fraction of the perimeter of the die";

// Appends the shares of T.
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
      Schema<WrittenCore>("core", "compute cores")
          .required("technology",
                    &WrittenCore::technology,
                    "technology of an MCU (minimal compute unit)",
                    "tensor-core-n12")
          .optional("mcus_per_bundle", &WrittenCore::mcus_per_bundle, "MCUs per bundle (core)")
          .at_least(1)
          .optional("dataflow", &WrittenCore::dataflow, "stationary operand of an MCU"));
  return kSchema;
}

const Schema<WrittenLevel>& schema_of(const WrittenLevel*) {
  static const auto kSchema = with_shares(
      Schema<WrittenLevel>("level", "on-chip memory")
          .required("name", &WrittenLevel::name, "name in results", "l2")
          .required("technology", &WrittenLevel::technology, "technology of banks", "sram-l2-n12")
          .optional("scope", &WrittenLevel::scope, "what shares one instance of the level"));
  return kSchema;
}

const Schema<WrittenMainMemory>& schema_of(const WrittenMainMemory*) {
  static const auto kSchema =
      with_shares(Schema<WrittenMainMemory>("main memory", "memory devices beside the die")
                      .required("technology",
                                &WrittenMainMemory::technology,
                                "technology of the memory devices",
                                "hbm2"));
  return kSchema;
}

const Schema<WrittenNetwork>& schema_of(const WrittenNetwork*) {
  static const auto kSchema = with_shares(
      Schema<WrittenNetwork>("links", "links that leave the chip")
          .required("technology", &WrittenNetwork::technology, "technology of a link", "nvlink-4")
          .optional("topology", &WrittenNetwork::topology, "shape; sets the number of neighbours"));
  return kSchema;
}

const Schema<WrittenNetworks>& schema_of(const WrittenNetworks*) {
  static const auto kSchema =
      Schema<WrittenNetworks>("network", "links that leave the chip")
          .optional(
              "intra_package", &WrittenNetworks::intra_package, "links to chips in the package")
          .optional("inter_package", &WrittenNetworks::inter_package, "links to other packages");
  return kSchema;
}

const Schema<WrittenTemplate>& schema_of(const WrittenTemplate*) {
  using T = WrittenTemplate;
  static const auto kSchema =
      Schema<T>("template", "components of a chip, and its budgets")
          .optional("name", &T::name, "name in results")
          .optional("description", &T::description, "one line")
          .optional("source", &T::source, "source of the figures")
          .required("chip_area", &T::chip_area, "area of the die", "815 mm2")
          .positive()
          .required("package_area", &T::package_area, "area of die and memory devices", "1230 mm2")
          .positive()
          .required("power", &T::power, "power of the chip", "300 W")
          .positive()
          .optional("node", &T::node, "scale logic and on-chip memory to this node")
          .positive()
          .optional("scaling", &T::scaling, "scaling law for node (default crossflow)")
          .optional("package", &T::package, "technology of the package")
          .required("core", &T::core, "compute cores", "{technology: tensor-core-n12, ...}")
          .optional("levels", &T::levels, "on-chip memories, innermost first")
          .required("main_memory", &T::main_memory, "memory devices", "{technology: hbm2, ...}")
          .optional("network", &T::network, "links that leave the chip")
          .optional("fabric",
                    &T::fabric,
                    "interface to the network; an engine is allocated before all shares");
  return kSchema;
}

}  // namespace cairn::chip
