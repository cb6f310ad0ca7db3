// --plot: charts of a result, drawn into a folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/report/chart.hpp"

namespace cairn::app {

class Pictures {
 public:
  // Throws ConfigError if `folder` cannot be written to: best made before the work begins, so that
  // nothing is computed in vain.
  explicit Pictures(std::optional<std::string> folder);

  // If they are wanted. Says on standard error what could not be drawn.
  void draw(const std::function<std::vector<report::Chart>()>& charts) const;

 private:
  std::optional<std::string> folder_;
};

}  // namespace cairn::app
