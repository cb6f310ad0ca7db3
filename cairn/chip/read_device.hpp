// Devices as users name them.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"

namespace cairn::chip {

// Where devices, templates and technologies lie.
struct DeviceFolders {
  Folders devices{};
  TemplateFolders templates{};

  // devices/, chips/ and tech/ in each of these.
  static DeviceFolders in(const Folders& roots);
};

// A device's name (NAME.yaml in one of the folders), a file, or a map; `chip:NAME` is the chip that
// the template NAME generates, as is a map with the key `template`, which may also say how kernels
// are launched and tiled. Infeasible if the template's chip is; throws ConfigError.
Feasible<Device> read_device(const Config& config, const DeviceFolders& folders);
Feasible<Device> read_device(const std::string& text,
                             const DeviceFolders& folders,
                             const Where& where);

// The map that a device which is only named is written as.
Config written_out(Config config, const DeviceFolders& folders);

// The same, with the template and its technologies as maps.
Config all_written_out(const Config& config, const DeviceFolders& folders);

// "memory.bandwidth=2 TB/s", "template.core.area=0.4": also where the device, its template or a
// technology of that is only named. `called`: what the user calls the device, before its keys.
void set_value_of_device(Config& config,
                         const std::string& assignment,
                         const DeviceFolders& folders,
                         const std::string& called = {});

}  // namespace cairn::chip
