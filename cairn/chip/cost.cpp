#include "cairn/chip/cost.hpp"

#include <optional>

#include "cairn/chip/generate.hpp"

namespace cairn::chip {

const Schema<CostItem>& schema_of(const CostItem*) {
  static const auto kSchema = Schema<CostItem>("item", "a part with a price")
                                  .required("what", &CostItem::what, "name of the part", "silicon")
                                  .required("cost", &CostItem::cost, "cost of the part", "75 USD")
                                  .not_negative();
  return kSchema;
}

const Schema<Cost>& schema_of(const Cost*) {
  static const auto kSchema =
      Schema<Cost>("cost", "cost of a device")
          .required("source", &Cost::source, "source of the prices", "a price list")
          .required("items", &Cost::items, "cost by part", "[{what: silicon, cost: 75 USD}]")
          .optional("unknown", &Cost::unknown, "parts without a price");
  return kSchema;
}

Dollars Cost::total() const {
  Dollars sum{};
  for (const CostItem& item : items) {
    sum += item.cost;
  }
  return sum;
}

Cost cost_of(const Generated& chip, const Template& design) {
  Cost cost;
  const auto add = [&](const char* what, const auto& each, auto amount) {
    if (each) {
      cost.items.push_back({what, *each * amount});
    } else {
      cost.unknown.emplace_back(what);
    }
  };
  add("silicon", design.core.unit.cost_per_area, design.chip_area);
  add("main memory", design.main_memory.memory.cost, chip.main_memory.devices);
  if (chip.intra_package && design.intra_package) {
    add("intra-package links", design.intra_package->link.cost, chip.intra_package->links);
  }
  if (chip.inter_package && design.inter_package) {
    add("inter-package links", design.inter_package->link.cost, chip.inter_package->links);
  }
  add("package",
      design.package ? design.package->cost_per_area : std::nullopt,
      design.package_area);
  return cost;
}

}  // namespace cairn::chip
