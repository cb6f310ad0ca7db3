// What keeps a component from being more than it is.
#pragma once

#include <string_view>

namespace cairn::chip {

enum class Limit {
  kArea,            // of the die
  kPower,           // all of it is used
  kPerimeter,       // wires that leave the die
  kPackageArea,     // beside the die
  kMinimumVoltage,  // power, at the lowest voltage: units were dropped
  kMaximumVoltage,  // power is left
  kAsWritten,       // it is what the template says
};

// "minimum voltage"
std::string_view to_text(Limit limit);

}  // namespace cairn::chip
