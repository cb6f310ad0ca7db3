// Counts that divide a whole, for messages about one that does not.
#pragma once

#include <cstdint>
#include <string>

namespace cairn::plan {

// The divisors of `whole` nearest below and above `parts`, which is not one: "32 or 64". None
// above `max_parts`.
std::string nearest_divisors(double whole, std::uint32_t parts, std::uint32_t max_parts);

}  // namespace cairn::plan
