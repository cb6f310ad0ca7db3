// Lines of a result for people: a label, a value, a note, a bar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cairn/report/fields.hpp"

namespace cairn::report {

inline constexpr std::size_t kLabelWidth = 21;

// `value` behind `label`, on several lines if need be, ending in a line break.
std::string labelled(std::string_view label, const std::string& value);

// A value and what is to be said about it, notes below each other.
std::string noted(const std::string& value, const std::string& note);

// Below a table that leaves so many rows out; nothing if it leaves out none.
std::string more_text(std::uint64_t left_out);

}  // namespace cairn::report
