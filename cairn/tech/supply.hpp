// The voltages between which a component works.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::tech {

struct Supply {
  Volts nominal{};    // at which area, power and frequency of the component are given
  Volts threshold{};  // of its transistors; none switches below
  Volts minimum{};    // the lowest at which the component works
  Volts maximum{};    // the highest it endures
};

const Schema<Supply>& schema_of(const Supply*);

// Throws ConfigError at the value of `config` (the map a Supply was read from) that breaks
// threshold < minimum <= maximum or threshold < nominal <= maximum.
void check(const Supply& supply, const Config& config);

}  // namespace cairn::tech
