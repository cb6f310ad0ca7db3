// The document of a calibration, and the calibrated device's file.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/report/document.hpp"
#include "cairn/validate/calibrate.hpp"

namespace cairn::validate {

report::Document document_of(const Calibrated& calibrated);

// `config`: the original device file, a map. Fitted values replace its own.
std::string calibrated_file(const Calibrated& calibrated, Config config);

}  // namespace cairn::validate
