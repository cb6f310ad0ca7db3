// Location in a design of the value that makes it infeasible.
#pragma once

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"

namespace cairn::app {

// The reason with file, line and key of its cause. `design` is a map with some of the keys of a
// design; files that it names are searched too.
Infeasible located(Infeasible reason, const Config& design);

}  // namespace cairn::app
