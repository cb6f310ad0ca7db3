// Numbers without a unit, for people.
#pragma once

#include <string>

namespace cairn {

// So many significant digits, and never a power of ten: "3.142", "0.000015"; numbers that have more
// digits before the point are whole: "14610", and in groups where they are long: "1,000,000".
std::string many(double number, int digits = 4);

}  // namespace cairn
