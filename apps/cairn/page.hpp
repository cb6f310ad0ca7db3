// --report: a result as a page.
#pragma once

#include <optional>
#include <string>

#include "cairn/report/atomic_file.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

class Page {
 public:
  // Throws ConfigError if `file` cannot be written: made before the work begins, so that nothing is
  // computed in vain.
  explicit Page(const std::optional<std::string>& file);

  // If it is wanted. Throws ConfigError.
  void write(const report::Document& document) const;

 private:
  std::optional<report::OutputFile> file_;
};

}  // namespace cairn::app
