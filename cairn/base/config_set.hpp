// Values set by flags inside a part of the configuration that has its own file.
#pragma once

#include <string>
#include <string_view>

#include "cairn/base/config.hpp"

namespace cairn {

// As set_value(), for a part whose key is `prefix`: errors name "device.launch" where the
// assignment is "launch=1 us" and `prefix` is "device". Empty: the part's own key.
void set_value_within(Config& config, std::string_view prefix, std::string_view assignment);

// "device" and "template" give "device.template"; either may be empty.
std::string joined_key(std::string_view outer, std::string_view inner);

}  // namespace cairn
