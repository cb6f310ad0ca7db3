// Claims for people.
#pragma once

#include <optional>
#include <string>

#include "cairn/study/claim.hpp"

namespace cairn::study {

// What is claimed. Where it ends in a unit, as in "bandwidth of a device, B/s", that is left to the
// numbers.
std::string words_of(const Claim& claim);

// A number of the claim, in a unit for people if it has one: "150 GB/s"; empty for none.
std::string number_text(const Claim& claim, const std::optional<double>& value);

}  // namespace cairn::study
