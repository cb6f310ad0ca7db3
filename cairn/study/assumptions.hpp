// What a paper leaves unsaid, as a study's file lists it: for each assumption its value, other
// choices, and why.
#pragma once

#include <functional>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/study/claim.hpp"

namespace cairn::study {

// {key: value} of all assumptions, each value where it was written. Throws ConfigError: also for a
// value without a reason.
Config values_of(const Config& assumptions);

// For each claim, the interval over the choices given for each assumption, one changed at a time.
// `run` gives the claims under {key: value}.
std::vector<ClaimRange> range_over(
    const Config& assumptions, const std::function<std::vector<Claim>(const Config& values)>& run);

}  // namespace cairn::study
