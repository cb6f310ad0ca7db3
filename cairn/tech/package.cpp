#include "cairn/tech/package.hpp"

namespace cairn::tech {

const Schema<Package>& schema_of(const Package*) {
  static const auto kSchema =
      Schema<Package>("package", "what dies and memory devices are joined on")
          .optional("description", &Package::description, "one line")
          .required("source", &Package::source, "where its figures are from", "a paper")
          .required("largest_area", &Package::largest_area, "that can be made", "2500 mm2")
          .positive()
          .optional("cost_per_area", &Package::cost_per_area, "of the substrate")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::tech
