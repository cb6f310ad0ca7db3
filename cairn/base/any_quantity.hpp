// A quantity whose dimension follows from its unit, for keys whose type the reader does not know.
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

// "25 GB/s" is 25e9 with the dimension data / time. std::nullopt if the text is not a number with a
// unit (quantity_text.hpp).
std::optional<AnyQuantity> any_quantity_in(std::string_view text);

}  // namespace cairn
