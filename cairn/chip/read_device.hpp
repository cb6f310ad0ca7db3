// Reads devices from names, files and maps.
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"

namespace cairn::chip {

// Folders of devices, templates and technologies.
struct DeviceFolders {
  Folders devices{};
  TemplateFolders templates{};

  // devices/, chips/ and tech/ in each root.
  static DeviceFolders in(const Folders& roots);
};

// Accepts a device's name (NAME.yaml in one of the folders), a file, or a map. `chip:NAME` is the
// chip generated from the template NAME; so is a map with the key `template`, which may also set
// `launch` and `tiles`. Infeasible if the template's chip is; throws ConfigError.
Feasible<Device> read_device(const Config& config, const DeviceFolders& folders);
Feasible<Device> read_device(const std::string& text,
                             const DeviceFolders& folders,
                             const Where& where);

// The map of a device that is given by name; a map is returned unchanged.
Config written_out(Config config, const DeviceFolders& folders);

// The same, with the template and its technologies inlined as maps.
Config all_written_out(const Config& config, const DeviceFolders& folders);

// "memory.bandwidth=2 TB/s", "template.core.area=0.4": also if the device, its template or one of
// its technologies is given by name. `called`: the user's key of the device, for error messages.
void set_value_of_device(Config& config,
                         const std::string& assignment,
                         const DeviceFolders& folders,
                         const std::string& called = {});

}  // namespace cairn::chip
