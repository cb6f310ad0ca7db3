// The cost of a device in dollars.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct Generated;
struct Template;

struct CostItem {
  std::string what{};  // "silicon"
  Dollars cost{};
};

const Schema<CostItem>& schema_of(const CostItem*);

struct Cost {
  std::string source{};
  std::vector<CostItem> items{};
  std::vector<std::string> unknown{};  // parts without a price; not in the total

  [[nodiscard]] Dollars total() const;
};

const Schema<Cost>& schema_of(const Cost*);

// Manufacturing cost: silicon and package by area, memory devices and links by count. Yield is not
// modelled. Precondition: `chip` was generated from `design`.
Cost cost_of(const Generated& chip, const Template& design);

}  // namespace cairn::chip
