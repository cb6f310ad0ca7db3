// Single values of a design that is written down, changed.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"

namespace cairn {

// "strategy.batch=1024", "platform.latency=1 us", "device.template.core.area=0.4": also where what
// is changed is only named. Mistakes call the design `called`, if it is said.
void set_value_of_design(Config& design,
                         const std::string& assignment,
                         const DataFolders& folders,
                         const std::string& called = "");

// The design with its device, model, platform and endpoint as maps, with nothing in the device that
// is only named.
Config written_out_design(Config design, const DataFolders& folders);

struct DesignValue {
  std::string key{};   // as --set takes it: "device.memory.bandwidth"
  std::string text{};  // as it is written: "900 GB/s"
};

// Every single value of a design that is written out, but for words that only describe it.
std::vector<DesignValue> values_of_design(const Config& written_out);

}  // namespace cairn
