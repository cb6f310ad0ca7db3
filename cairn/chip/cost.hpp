// What a generated chip costs to make: silicon and package by area, memory devices and links by
// number. Dies are not divided by their yield.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

struct CostItem {
  std::string what{};  // "silicon"
  Dollars cost{};
};

struct Cost {
  std::vector<CostItem> items{};
  std::vector<std::string> unknown{};  // parts whose technology has no figure; not in the total

  [[nodiscard]] Dollars total() const;
};

// Precondition: `chip` was generated from `design`.
Cost cost_of(const Generated& chip, const Template& design);

}  // namespace cairn::chip
