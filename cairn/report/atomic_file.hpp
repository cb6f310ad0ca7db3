// Atomic output files: complete, or not written at all.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include "cairn/base/failure.hpp"

namespace cairn::report {

// An output file, written to a temporary file beside it and renamed at the end. On failure, the
// previous content stays and no temporary file is left. A symbolic link is followed and kept. Pipes
// and devices are written directly.
class OutputFile {
 public:
  // Throws ConfigError at `where` if `file` is not writable now. A pipe needs a reader; it stays
  // open as long as this object lives.
  OutputFile(std::filesystem::path file, Where where);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Throws ConfigError at `where` on failure.
  void write(const std::function<void(std::ostream&)>& write) const;

 private:
  std::filesystem::path file_;
  Where where_;
  std::filesystem::path target_;  // after following symbolic links
  bool is_replaced_ = true;       // false: a pipe or a device
  int pipe_ = -1;
};

// Opens, writes and closes in one call, where no long computation precedes the write.
void write_atomically(const std::filesystem::path& file,
                      const Where& where,
                      const std::function<void(std::ostream&)>& write);

}  // namespace cairn::report
