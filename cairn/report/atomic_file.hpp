// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include "cairn/base/failure.hpp"

namespace cairn::report {

// A file to be written through a temporary one beside it, renamed at the end: when anything fails,
// what was there before is still there and nothing else is left. A symbolic link stays, and the
// file it leads to is written. A pipe or a device is written to as it is.
class OutputFile {
 public:
  // Throws ConfigError at `where` when `file` could not be written now; a pipe needs a reader,
  // which then sees no end before this does.
  OutputFile(std::filesystem::path file, Where where);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Throws ConfigError at `where` when that fails.
  void write(const std::function<void(std::ostream&)>& write) const;

 private:
  std::filesystem::path file_;
  Where where_;
  std::filesystem::path target_;  // where links lead
  bool is_replaced_ = true;       // false: a pipe or a device
  int pipe_ = -1;
};

// All of it at once, where there is nothing to be lost by a file that cannot be written.
void write_atomically(const std::filesystem::path& file,
                      const Where& where,
                      const std::function<void(std::ostream&)>& write);

}  // namespace cairn::report
