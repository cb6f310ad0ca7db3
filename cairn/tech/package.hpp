// The substrate that connects dies and memory devices: an organic module, a silicon interposer, a
// wafer.
#pragma once

#include <optional>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

struct Package {
  std::string description{};
  std::string source{};
  SquareMetres largest_area{};  // manufacturable
  std::optional<DollarsPerArea> cost_per_area{};
};

const Schema<Package>& schema_of(const Package*);

}  // namespace cairn::tech
