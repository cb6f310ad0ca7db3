// Numbers without a unit as text for readers.
#pragma once

#include <string>

namespace cairn {

// `digits` significant digits, never in scientific notation: "3.142", "0.000015". Numbers with more
// digits before the point are rounded to whole ones ("14610"), with separators from 100,000 on.
std::string many(double number, int digits = 4);

}  // namespace cairn
