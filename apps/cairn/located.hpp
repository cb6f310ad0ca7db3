// Where in a design that was asked for which cannot be had.
#pragma once

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::app {

// The reason, with file, line and key of what asks for it. `design` is a map with some of the keys
// of a design; what these only name is looked into.
Infeasible located(Infeasible reason, const Config& design);

}  // namespace cairn::app
