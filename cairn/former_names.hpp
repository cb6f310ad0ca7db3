// Keys and values of designs that got a better name: the former one is read for one release.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/config.hpp"

namespace cairn {

// Each function returns one note per former name, such as
// `d.yaml:7: memory.overlay: "overlay" is now called "offload"`. ConfigError where a file gives
// both.

// Renames what a design's file says.
std::vector<std::string> update_former_names(Config& design);

// Renames the key of "memory.overlay=everything", and its value.
std::vector<std::string> update_former_names(std::string& assignment);

// Renames what a search's file says: its design, if that is written inline, and the keys of `vary`.
std::vector<std::string> update_former_names_of_search(Config& search);

}  // namespace cairn
