// A calibration as a document, and as a device's file.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/report/document.hpp"
#include "cairn/validate/calibrate.hpp"

namespace cairn::validate {

report::Document document_of(const Calibrated& calibrated);

// `config`: the device as it was written, a map, in which fitted values replace those that are
// there.
std::string calibrated_file(const Calibrated& calibrated, Config config);

}  // namespace cairn::validate
