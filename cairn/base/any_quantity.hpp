// A quantity whose dimension is what its unit says, for keys whose meaning others know.
#pragma once

#include <optional>
#include <string_view>

#include "cairn/base/quantity.hpp"

namespace cairn {

struct AnyQuantity {
  double si = 0.0;
  Dimension dimension{};

  friend bool operator==(const AnyQuantity&, const AnyQuantity&) = default;
};

// "25 GB/s": 25e9 of data over time. Nothing if the text is not a number with a unit
// (quantity_text.hpp).
std::optional<AnyQuantity> any_quantity_in(std::string_view text);

}  // namespace cairn
