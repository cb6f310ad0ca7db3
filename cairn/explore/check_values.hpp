// Mistakes in what may vary, found before anything is evaluated.
#pragma once

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// Reads designs that have each value that is written, of ranges both ends and some between. Throws
// ConfigError where a value is written with which none can be read: alone, with each value of every
// other key, or by chance with any of all of them. What only some combinations may have stays, and
// is impossible elsewhere.
void check_values(const Request& request, const DataFolders& folders);

}  // namespace cairn::explore
