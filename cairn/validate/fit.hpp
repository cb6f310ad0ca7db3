// Least squares with few parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace cairn::validate {

struct FitOptions {
  int rounds = 40;       // maximum Gauss-Newton steps per descent
  double step = 0.05;    // of a parameter, for finite differences
  double outlier = 0.2;  // residuals beyond this count linearly (Huber)
  double enough = 1e-4;  // stops when a round gains less than this fraction
  // After convergence each parameter alone is changed by these distances, up and down: residuals
  // have kinks, and regions where they do not depend on a parameter that matters elsewhere.
  std::vector<double> jumps{0.3, 1.0, 2.0};
  double max_spread = 1.0;  // from this standard error on, a parameter is undetermined
};

struct Fit {
  std::vector<double> x{};
  std::vector<double> spread{};  // standard error, of determined parameters
  // Whether residuals determine a parameter. They do not if they hardly depend on it, if others
  // compensate it, or if they are too few. Among parameters that compensate each other the least
  // certain ones are dropped, one by one, until the rest is determined; spreads of the rest are
  // with the dropped ones fixed.
  std::vector<bool> determined{};
  double before = 0.0;  // objective
  double after = 0.0;
};

struct Residuals {
  std::function<std::vector<double>(const std::vector<double>& x)> all{};
  // Updates residuals after a change of x[i] only.
  std::function<void(const std::vector<double>& x, std::size_t i, std::vector<double>& residuals)>
      changed{};
};

struct Bounds {
  std::vector<double> least{};
  std::vector<double> most{};
};

// Minimizes the sum of Huber's function of residuals(x), each x within its bounds, by damped
// Gauss-Newton steps (Levenberg 1944, Marquardt 1963) alternating with jumps along single axes,
// from `x` until neither gains; derivatives by finite differences.
Fit least_squares(const Residuals& residuals,
                  std::vector<double> x,
                  const Bounds& bounds,
                  const FitOptions& options = {});

}  // namespace cairn::validate
