// Where data that came with the program lies, and platforms and devices as the command line names
// them.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/chip/read_device.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

// Where data lies: $CAIRN_DATA if that is set, then the program's own. Throws ConfigError when
// CAIRN_DATA names no folder.
Folders data_roots();

// The folder `kind` in each of them: "platforms", "models", ...
Folders data_folders(const char* kind);

platform::SearchPath preset_path();

// The platform called `text` with values changed by --set.
platform::Platform read_platform(const std::string& text,
                                 const std::vector<std::string>& settings,
                                 const std::string& flag);

// What a file says under `key`: its description. Empty if it says nothing.
std::string text_at(const Config& config, const char* key);

// The design called `text` (DESIGN) as it is written, with values changed by --set.
Config written_design(const std::string& text, const std::vector<std::string>& settings);

// Every value of a design, by the key that --set takes. Throws ConfigError.
report::Object values_of(const Config& design);

// The map that the device called `text` (--device) is written as, with values changed by --set,
// where keys of the device begin with `called`, which settings here do not.
Config written_device(const std::string& text,
                      const std::vector<std::string>& settings,
                      const std::string& called = {});

// The device called `text` (--device) with values changed by --set. Infeasible if it is a chip that
// cannot be made.
Feasible<chip::Device> read_device(const std::string& text,
                                   const std::vector<std::string>& settings);

}  // namespace cairn::app
