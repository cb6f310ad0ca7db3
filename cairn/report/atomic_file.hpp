// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include "cairn/base/failure.hpp"

namespace cairn::report {

// Writes `file` through a temporary one beside it, renamed at the end: when anything fails, what
// was there before is still there and nothing else is left. A symbolic link stays, and the file it
// leads to is written. A pipe or a device is written to as it is. Throws ConfigError at `where`
// when `file` cannot be written.
void write_atomically(const std::filesystem::path& file,
                      const Where& where,
                      const std::function<void(std::ostream&)>& write);

// Throws the same if it could not be written now, before there is anything to write.
void check_writable(const std::filesystem::path& file, const Where& where);

}  // namespace cairn::report
