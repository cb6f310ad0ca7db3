// Units of the technology library: per bit stored, per length of chip edge, per area.
#pragma once

#include "cairn/base/quantity.hpp"

namespace cairn::tech {

using WattsPerByte = Quantity<Dimension{.time = -1, .data = -1, .energy = 1}>;
using AreaPerByte = Quantity<Dimension{.data = -1, .length = 2}>;
using PerMetre = Quantity<Dimension{.length = -1}>;
using DollarsPerArea = Quantity<Dimension{.length = -2, .money = 1}>;

}  // namespace cairn::tech
