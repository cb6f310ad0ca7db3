// Lines of a result for people: a label, a value, a note, a bar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cairn/explain/error_bar.hpp"

namespace cairn::report {

inline constexpr std::size_t kLabelWidth = 21;

// `value` behind `label`, on several lines if need be, ending in a line break.
std::string labelled(std::string_view label, const std::string& value);

// A value and what is to be said about it, notes below each other.
std::string noted(const std::string& value, const std::string& note);

// How far predictions on a calibrated device are from measurements, on average, or why that is not
// known; nothing where the device is not calibrated.
std::string error_bar_line(const explain::ErrorBar& bar);

// "12.3 %"
std::string percent(double part);

// "1 device", "2 devices".
std::string count(std::uint64_t number, const char* one, const char* many);

// Below a table that leaves so many rows out; nothing if it leaves out none.
std::string more_text(std::uint64_t left_out);

// Ten marks: full for 1, empty only for less than half a mark.
std::string bar(double part);

}  // namespace cairn::report
