// The least of a sum of two functions of whole numbers, one that never falls and one that never
// rises: of all numbers from a to b, none has less than rising(a) + falling(b). What cannot be less
// than the least so far is not looked at, so that a few dozen are looked at of thousands.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::kernel {

struct LeastSum {
  double at = std::numeric_limits<double>::infinity();  // the smallest number that has it
  double sum = std::numeric_limits<double>::infinity();
};

template <class Rising, class Falling>
class LeastSumSearch {
 public:
  LeastSumSearch(const Rising& rising, const Falling& falling)
      : rising_(rising), falling_(falling) {}

  LeastSum between(double first, double last, double most) {
    least_.sum = most;
    const End low = look_at(first);
    look_between(low, look_at(last));
    return least_.at <= last && std::isfinite(least_.sum) ? least_ : LeastSum{};
  }

 private:
  struct End {
    double at = 1.0;
    double rising = 0.0;
    double falling = 0.0;
  };

  End look_at(double x) {
    const End here{x, rising_(x), falling_(x)};
    const double sum = here.rising + here.falling;
    if (sum < least_.sum || (sum == least_.sum && x < least_.at)) {
      least_ = {x, sum};
    }
    return here;
  }

  void look_between(const End& low, const End& high) {
    const bool nothing = high.at - low.at < 2.0 || low.falling == high.falling;
    if (nothing || low.rising + high.falling > least_.sum) {
      return;
    }
    const double middle = std::floor(std::sqrt(low.at * high.at));
    const End between = look_at(std::clamp(middle, low.at + 1.0, high.at - 1.0));
    look_between(low, between);
    look_between(between, high);
  }

  const Rising& rising_;
  const Falling& falling_;
  LeastSum least_{};
};

// From `first`, at least 1, to `last`; of several with the least, the smallest. Infinite where no
// sum is at most `most`.
template <class Rising, class Falling>
LeastSum least_sum(double first,
                   double last,
                   const Rising& rising,
                   const Falling& falling,
                   double most = std::numeric_limits<double>::infinity()) {
  return LeastSumSearch(rising, falling).between(first, last, most);
}

}  // namespace cairn::kernel
