#include "cairn/report/box.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/failure.hpp"

namespace cairn::report {

std::array<double, kBoxParts.size()> numbers_of(const Box& box) {
  return {box.least, box.lower, box.median, box.upper, box.most};
}

Box box_of(std::vector<double> values) {
  ensure(!values.empty(), "a box of no values");
  std::ranges::sort(values);
  const auto quantile = [&](double part) {
    const double position = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], position - std::floor(position));
  };
  return {.least = values.front(),
          .lower = quantile(0.25),
          .median = quantile(0.5),
          .upper = quantile(0.75),
          .most = values.back()};
}

}  // namespace cairn::report
