// Text of claims, with units.
#pragma once

#include <optional>
#include <string>

#include "cairn/study/claim.hpp"

namespace cairn::study {

// The claim's description without a trailing unit, as in "bandwidth of a device, B/s": number_text
// prints it.
std::string text_without_unit(const Claim& claim);

// A number of the claim, with a prefixed unit if it has one: "150 GB/s"; empty for nullopt.
std::string number_text(const Claim& claim, const std::optional<double>& value);

}  // namespace cairn::study
