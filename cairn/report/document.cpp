#include "cairn/report/document.hpp"

namespace cairn::report {

std::vector<Chart> Document::charts() const {
  std::vector<Chart> all;
  for (const Block& block : blocks) {
    if (const auto* figures = std::get_if<Figures>(&block)) {
      all.insert(all.end(), figures->charts.begin(), figures->charts.end());
    }
  }
  return all;
}

}  // namespace cairn::report
