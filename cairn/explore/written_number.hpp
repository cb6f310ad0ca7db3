// Numbers of any unit in a file, "25 GB/s", where the axes of a search name design keys of any
// type: reading, conversion and comparison.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/base/figure.hpp"

namespace cairn::explore {

// Rejects text that is not a finite number, with or without a unit.
Figure read_figure(const Config& config);

// The number in another unit: 1 GB is 1000 MB. Rejects another dimension.
double read_number_in(const Config& config, const std::string& unit);

// Equal as text or as a number: 256 and 256.0, 1 GB and 1000 MB.
bool means_the_same(const Config& a, const Config& b);

}  // namespace cairn::explore
