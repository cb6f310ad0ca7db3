// Data folders, and platforms and devices by the name given on the command line.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/chip/read_device.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

// Data folders: $CAIRN_DATA if set, then the bundled data. Throws ConfigError if CAIRN_DATA is not
// a folder.
Folders data_roots();

// The folder `kind` in each of them: "platforms", "models", ...
Folders data_folders(const char* kind);

platform::SearchPath preset_path();

// The platform called `text` with values changed by --set.
platform::Platform read_platform(const std::string& text,
                                 const std::vector<std::string>& settings,
                                 const std::string& flag);

// Text of a file under `key`, e.g. its description; empty if absent.
std::string text_at(const Config& config, const char* key);

// Prints notes to standard error, one line each.
void print_notes(const std::vector<std::string>& notes);

// The file called `text`, by path or by its name in the folder `kind`; `what`: "a design". Throws
// ConfigError, also for a result of --json.
NamedFile load_input(const std::string& text,
                     const char* kind,
                     const std::string& what,
                     const std::string& flag);

// The design called `text` (DESIGN) as written, with values changed by --set.
Config written_design(const std::string& text, const std::vector<std::string>& settings);

// Every value of a design, by the key that --set takes. Throws ConfigError.
report::Object values_of(const Config& design);

// The device called `text` (--device) as a map, with values changed by --set. In errors, keys of
// the device are prefixed with `called`; keys in `settings` have no prefix.
Config written_device(const std::string& text,
                      const std::vector<std::string>& settings,
                      const std::string& called = {});

// The device called `text` (--device) with values changed by --set. Infeasible if the device is
// a chip that cannot be generated.
Feasible<chip::Device> read_device(const std::string& text,
                                   const std::vector<std::string>& settings);

}  // namespace cairn::app
