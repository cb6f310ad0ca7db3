// Values set by flags inside a part of the configuration that lies in a file of its own.
#pragma once

#include <string>
#include <string_view>

#include "cairn/base/config.hpp"

namespace cairn {

// As set_value(), of a value that its user calls `called`: mistakes name "device.launch" where the
// assignment is "launch=1 us" and `called` is "device". Empty: as it calls itself.
void set_value_within(Config& config, std::string_view called, std::string_view assignment);

// "device" and "template" are "device.template"; either may be empty.
std::string joined_key(std::string_view outer, std::string_view inner);

}  // namespace cairn
