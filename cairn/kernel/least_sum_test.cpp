#include "cairn/kernel/least_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cairn::kernel {
namespace {

// Small increments, so that many sums are equal.
std::vector<double> steps_of(std::size_t count) {
  std::vector<double> steps;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    steps.push_back(sum += *rc::gen::inRange(0, 4));
  }
  return steps;
}

RC_GTEST_PROP(LeastSumProperty, IsTheSmallestArgumentOfTheMinimum, ()) {
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 300));
  const std::vector<double> up = steps_of(count);
  const std::vector<double> down = steps_of(count);
  const auto never = static_cast<std::size_t>(*rc::gen::inRange(0, 20));  // infinite before it
  const auto rising = [&](double x) { return up[static_cast<std::size_t>(x) - 1]; };
  const auto falling = [&](double x) {
    const auto i = static_cast<std::size_t>(x) - 1;
    return i < never ? std::numeric_limits<double>::infinity() : down[count - 1 - i];
  };

  LeastSum expected;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 1.0 + static_cast<double>(i);
    if (rising(x) + falling(x) < expected.sum) {
      expected = {x, rising(x) + falling(x)};
    }
  }
  const LeastSum found = least_sum(1.0, static_cast<double>(count), rising, falling);

  RC_ASSERT(found.sum == expected.sum);
  RC_ASSERT(found.at == expected.at);
  const auto at_most = [&](double most) {
    return least_sum(1.0, static_cast<double>(count), rising, falling, most);
  };
  RC_ASSERT(at_most(expected.sum).at == expected.at);
  RC_ASSERT(std::isinf(at_most(expected.sum - 1.0).sum));
}

}  // namespace
}  // namespace cairn::kernel
