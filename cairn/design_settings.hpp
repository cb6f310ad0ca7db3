// Changes single values of a written design.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"

namespace cairn {

// Applies an assignment: "strategy.batch=1024", "platform.latency=1 us",
// "device.template.core.area=0.4"; also to parts given by name. Errors name the design `called`.
void set_value_of_design(Config& design,
                         const std::string& assignment,
                         const DataFolders& folders,
                         const std::string& called = "");

// The design with its device, model, platform and endpoint expanded to maps, and all names inside
// the device expanded.
Config written_out_design(Config design, const DataFolders& folders);

struct DesignValue {
  std::string key{};   // as --set takes it: "device.memory.bandwidth"
  std::string text{};  // as it is written: "900 GB/s"
};

// All single values of an expanded design, except descriptive text.
std::vector<DesignValue> values_of_design(const Config& written_out);

}  // namespace cairn
