// Mistakes in what may vary, found before anything is evaluated.
#pragma once

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// Reads designs that have each value that is written, of ranges both ends, and of numbers some
// between: alone, with some values of every other key, and by chance with any of all of them.
// Throws ConfigError where a value is written with which none can be read, for a reason that is the
// same whatever the other keys are. What may be right with others (heads that do not divide what
// was tried as hidden) stays, and is impossible where it is not.
void check_values(const Request& request, const DataFolders& folders);

}  // namespace cairn::explore
