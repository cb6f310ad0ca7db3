// The known word that a mistyped one most likely meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

// The smallest number of single-letter insertions, deletions, replacements and swaps of neighbours
// that turns `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The word of `known` nearest to `word` without regard to case, the first of equals. Empty when all
// differ in more than a third of the letters of the longer one (one letter may always differ).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// `did you mean "bandwidth"?`, or, with nothing near, `known: bandwidth, latency`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace cairn
