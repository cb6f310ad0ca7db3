// Single values of a design that is written down, changed.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"

namespace cairn {

// "strategy.batch=1024", "platform.latency=1 us", "device.template.core.area=0.4": also where what
// is changed is only named.
void set_value_of_design(Config& design, const std::string& assignment, const DataFolders& folders);

// The design with its device, model, platform and endpoint as maps, with nothing in the device that
// is only named.
Config written_out_design(Config design, const DataFolders& folders);

}  // namespace cairn
