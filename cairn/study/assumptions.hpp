// What a paper leaves unsaid, as a study's file lists it: for each assumption its value, other
// choices, and why.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/study/claim.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

// {key: value} of all assumptions, each value where it was written. Throws ConfigError: also for a
// value without a reason.
Config values_of(const Config& assumptions);

// The map of these keys, as far as they are there; `values` is left with the others.
Config take(Config& values, std::initializer_list<std::string_view> keys);

// What a study finds under {key: value}.
using RunUnder = std::function<StudyResult(const Config& values)>;

// Sets `otherwise` of the claims of `result`, which is of `values`: what is found under each
// variation, a map of assumptions that are changed together.
void vary(StudyResult& result,
          const Config& values,
          const std::vector<Config>& variations,
          const RunUnder& run);

// For each claim, the interval over the choices given for each assumption, one changed at a time,
// and over the variations.
std::vector<ClaimRange> range_over(const Config& assumptions,
                                   const std::vector<Config>& variations,
                                   const RunUnder& run);

}  // namespace cairn::study
