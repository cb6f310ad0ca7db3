// Minimum over integers of rising(x) + falling(x), one function non-decreasing, the other
// non-increasing. Branch and bound: no x in [a, b] is below rising(a) + falling(b), so that a few
// dozen of thousands of candidates are evaluated.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::kernel {

struct LeastSum {
  double at = std::numeric_limits<double>::infinity();  // the smallest argument of the minimum
  double sum = std::numeric_limits<double>::infinity();
};

template <class Rising, class Falling>
class LeastSumSearch {
 public:
  LeastSumSearch(const Rising& rising, const Falling& falling)
      : rising_(rising), falling_(falling) {}

  LeastSum between(double first, double last, double at_most) {
    least_.sum = at_most;
    const End low = evaluate(first);
    search_between(low, evaluate(last));
    return least_.at <= last && std::isfinite(least_.sum) ? least_ : LeastSum{};
  }

 private:
  struct End {
    double at = 1.0;
    double rising = 0.0;
    double falling = 0.0;
  };

  End evaluate(double x) {
    const End here{x, rising_(x), falling_(x)};
    const double sum = here.rising + here.falling;
    if (sum < least_.sum || (sum == least_.sum && x < least_.at)) {
      least_ = {x, sum};
    }
    return here;
  }

  void search_between(const End& low, const End& high) {
    const bool nothing = high.at - low.at < 2.0 || low.falling == high.falling;
    if (nothing || low.rising + high.falling > least_.sum) {
      return;
    }
    const double middle = std::floor(std::sqrt(low.at * high.at));
    const End between = evaluate(std::clamp(middle, low.at + 1.0, high.at - 1.0));
    search_between(low, between);
    search_between(between, high);
  }

  const Rising& rising_;
  const Falling& falling_;
  LeastSum least_{};
};

// Over [first, last], first >= 1; of several minima, the smallest argument. Infinite if no sum is
// at most `at_most`.
template <class Rising, class Falling>
LeastSum least_sum(double first,
                   double last,
                   const Rising& rising,
                   const Falling& falling,
                   double at_most = std::numeric_limits<double>::infinity()) {
  return LeastSumSearch(rising, falling).between(first, last, at_most);
}

}  // namespace cairn::kernel
