// Fields that several results have, and words for people.
#pragma once

#include <cstdint>
#include <string>

#include "cairn/explain/bound.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// What limits a result: in words, and for programs its kind and the resource, if it is one.
void add_bound(Document& document,
               const std::string& words,
               explain::BoundKind kind,
               const std::string& resource);

// How far predictions on a calibrated device are from measurements, on average, or why that is not
// known; nothing where the device is not calibrated.
void add_error_bar(Document& document, const explain::ErrorBar& bar);

// "12.3 %"
std::string percent(double part);

// "1 device", "2 devices".
std::string count(std::uint64_t number, const char* one, const char* many);

// Ten marks: full for 1, empty only for less than half a mark.
std::string bar(double part);

}  // namespace cairn::report
