#include "cairn/search/project.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace cairn::search {

void project_onto_budget(std::span<double> parts) {
  const auto clip = [&](double less) {
    for (double& part : parts) {
      part = std::max(0.0, part - less);
    }
  };
  std::vector<double> sorted(parts.begin(), parts.end());
  std::ranges::sort(sorted, std::greater<>());
  clip(0.0);
  if (std::accumulate(parts.begin(), parts.end(), 0.0) <= 1.0) {
    return;
  }
  double sum = 0.0;
  double less = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1.0) / static_cast<double>(i + 1);
    if (sorted[i] - candidate > 0.0) {
      less = candidate;
    }
  }
  clip(less);
}

}  // namespace cairn::search
