// The operating voltages of a component.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::tech {

struct Supply {
  Volts nominal{};    // at which area, power and frequency are given
  Volts threshold{};  // of its transistors, which do not switch below
  Volts minimum{};    // lowest operating voltage
  Volts maximum{};    // highest operating voltage
};

const Schema<Supply>& schema_of(const Supply*);

// Throws ConfigError at the value of `config` (the map a Supply was read from) that breaks
// threshold < minimum <= maximum or threshold < nominal <= maximum.
void check(const Supply& supply, const Config& config);

}  // namespace cairn::tech
