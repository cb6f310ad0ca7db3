#include "cairn/tech/package.hpp"

namespace cairn::tech {

const Schema<Package>& schema_of(const Package*) {
  static const auto kSchema =
      Schema<Package>("package", "substrate that connects dies and memory devices")
          .optional("description", &Package::description, "one line")
          .required("source", &Package::source, "where its figures are from", "a paper")
          .required("largest_area", &Package::largest_area, "maximum area", "2500 mm2")
          .positive()
          .optional("cost_per_area", &Package::cost_per_area, "substrate price")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
