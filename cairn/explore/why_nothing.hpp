// Why a search found nothing.
#pragma once

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// What is missed by the least, where it is written: a limit of the search's file, or what designs
// lack. Throws ConfigError if no design could even be read.
Infeasible why_nothing(const Request& request, const Exploration& found);

}  // namespace cairn::explore
