// Limits on the size or speed of a component.
#pragma once

#include <string_view>

namespace cairn::chip {

enum class Limit {
  kArea,            // die area
  kPower,           // the whole power share is used
  kPerimeter,       // wires across the edge of the die
  kPackageArea,     // package area beside the die
  kMinimumVoltage,  // power at the minimum voltage: units were dropped
  kMaximumVoltage,  // power is left over
  kAsWritten,       // fixed by the template
};

// "minimum voltage"
std::string_view to_text(Limit limit);

}  // namespace cairn::chip
