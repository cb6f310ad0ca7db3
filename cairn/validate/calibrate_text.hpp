// A calibration for people, for programs, and as a device's file.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/validate/calibrate.hpp"

namespace cairn::validate {

std::string calibrated_text(const Calibrated& calibrated);

// {"parameters": {key: {"before", "after", "spread", "fitted_on"}}, "kinds": [{"kind", "fitted",
// "fitted_on": {"cases", "before", "after"}, "held_out": {...}}], "error"}
std::string calibrated_json(const Calibrated& calibrated);

// `config`: the device as it was written, a map, in which fitted values replace those that are
// there.
std::string calibrated_file(const Calibrated& calibrated, Config config);

}  // namespace cairn::validate
