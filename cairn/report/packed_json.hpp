// Long lists of a result, packed by column: an HTML report with 100,000 spans shrinks to a fifth.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

namespace cairn::report {

// Every list of at least `least` objects right below the top becomes
//   {"packed": how many, "columns": {key: values, ...}}
// A column of numbers is a list with null where an object lacks the key; any other is
//   {"words": [each value once], "at": [which of them, or -1]}
// web/src/data/unpack.js reads it. Precondition: `result` is an object.
void pack_long_lists(nlohmann::ordered_json& result, std::size_t least = 1000);

}  // namespace cairn::report
