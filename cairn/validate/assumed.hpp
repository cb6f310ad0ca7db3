// Default values for figures that data sheets lack, as the start of a calibration.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/validate/measured_table.hpp"

namespace cairn::validate {

struct Assumed {
  Config config{};
  std::vector<std::string> settings{};  // added to it, in the syntax of --set
};

// Adds the missing figures that measurements of these kinds depend on: kernels of measured
// operators, typical tiles of libraries, the host if copies were measured. Calibration fits them as
// far as the rows determine them; the others keep their default.
Assumed with_assumptions(Config config,
                         const chip::Device& device,
                         std::span<const MeasuredTable* const> tables);

}  // namespace cairn::validate
