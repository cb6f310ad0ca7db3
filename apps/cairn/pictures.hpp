// --plot: charts of a result, drawn into a folder.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cairn/report/chart.hpp"

namespace cairn::app {

class Pictures {
 public:
  // Throws ConfigError if `folder` cannot be written to: made before the work begins, so that
  // nothing is computed in vain.
  explicit Pictures(std::optional<std::string> folder);

  [[nodiscard]] const std::optional<std::string>& folder() const { return folder_; }

  // If they are wanted. Says on standard error what could not be drawn.
  void draw(std::span<const report::Chart> charts) const;

 private:
  std::optional<std::string> folder_;
};

}  // namespace cairn::app
