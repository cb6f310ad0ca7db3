// --plot: charts of a result, written into a folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/report/chart.hpp"

namespace cairn::app {

class Pictures {
 public:
  // Throws ConfigError if `folder` is not writable. Construct before the simulation starts.
  explicit Pictures(std::optional<std::string> folder);

  // Draws if requested; prints to standard error if pictures could not be drawn.
  void draw(const std::function<std::vector<report::Chart>()>& charts) const;

 private:
  std::optional<std::string> folder_;
};

}  // namespace cairn::app
