// --report: a result as a page.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cairn/report/atomic_file.hpp"

namespace cairn::app {

class Page {
 public:
  // Throws ConfigError if `file` cannot be written: made before the work begins, so that nothing is
  // computed in vain.
  explicit Page(const std::optional<std::string>& file);

  [[nodiscard]] bool wanted() const { return file_.has_value(); }

  // If it is wanted. `json`: the stamped result, in detail.
  void write(const std::function<std::string()>& json) const;

 private:
  std::optional<report::OutputFile> file_;
};

}  // namespace cairn::app
