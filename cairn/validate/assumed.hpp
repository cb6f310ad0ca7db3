// What a data sheet does not have of a device, so that a calibration can begin with one.
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
  std::vector<std::string> settings{};  // that were added to it, as --set has them
};

// The file of a device with what measurements of these kinds depend on and it does not say: the
// kernels of operators that were measured, the tiles that libraries have, the host that was copied
// to. Figures of these are fitted as far as rows tell them, the rest stays as assumed.
Assumed with_assumptions(Config config,
                         const chip::Device& device,
                         std::span<const MeasuredTable* const> tables);

}  // namespace cairn::validate
