// The technology library: components by name from YAML files, one folder per kind below each of the
// library's folders (compute/, on-chip-memory/, off-chip-memory/, links/, packages/, scaling/). A
// component is added by adding a file.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cairn/base/config.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/tech/link.hpp"
#include "cairn/tech/logic.hpp"
#include "cairn/tech/off_chip_memory.hpp"
#include "cairn/tech/on_chip_memory.hpp"
#include "cairn/tech/package.hpp"
#include "cairn/tech/scaling.hpp"

namespace cairn::tech {

struct Kind {
  std::string_view folder;
  std::string_view what;  // "a compute unit"
  std::string (*reference)();
};

const std::array<Kind, 6>& kinds();

// The library's folders for components of that kind.
Folders folders_of(std::string_view kind, const Folders& library);

// A component: a name (NAME.yaml of its kind), a file, or a map. Throws ConfigError.
ComputeUnit read_compute_unit(const Config& config, const Folders& library);
OnChipMemory read_on_chip_memory(const Config& config, const Folders& library);
OffChipMemory read_off_chip_memory(const Config& config, const Folders& library);
Link read_link(const Config& config, const Folders& library);
Package read_package(const Config& config, const Folders& library);
ScalingLaw read_scaling_law(const Config& config, const Folders& library);

// The map in the file that a name or path refers to; a map is returned unchanged.
Config written_out(const Config& config, std::string_view kind, const Folders& library);

}  // namespace cairn::tech
