// Counts as text.
#pragma once

#include <cstdint>
#include <string>

namespace cairn {

// "1 device", "2 devices"
std::string count_text(std::uint64_t number, const char* one, const char* many);

}  // namespace cairn
