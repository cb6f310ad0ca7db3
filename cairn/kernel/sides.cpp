#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

std::vector<double> useful_sides(double length, double step, double longest) {
  std::vector<double> sides;
  for_each_side(length, step, longest, [&](double side, double) { sides.push_back(side); });
  return sides;
}

}  // namespace cairn::kernel
