// --report: a result as a self-contained HTML report.
#pragma once

#include <optional>
#include <string>

#include "cairn/report/atomic_file.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

class Page {
 public:
  // Throws ConfigError if `file` is not writable. Construct before the simulation starts.
  explicit Page(const std::optional<std::string>& file);

  // Writes the report if requested. Throws ConfigError.
  void write(const report::Document& document) const;

 private:
  std::optional<report::OutputFile> file_;
};

}  // namespace cairn::app
