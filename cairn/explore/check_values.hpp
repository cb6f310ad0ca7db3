// Checks the values of `vary` before anything is evaluated.
#pragma once

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// Reads designs with each given value (for ranges both ends, for numbers some between): alone, with
// some values of every other key, and with random values of all others. Throws ConfigError for a
// value with which no design can be read, if the reason does not depend on the other keys. Values
// that may be valid with other values (heads that do not divide the hidden sizes tried) stay, and
// are infeasible where they are not valid.
void check_values(const Request& request, const DataFolders& folders);

}  // namespace cairn::explore
