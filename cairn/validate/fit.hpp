// Least squares with few parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace cairn::validate {

struct FitOptions {
  int rounds = 30;
  double step = 0.02;    // of a parameter, for differences
  double outlier = 0.2;  // residuals beyond this count linearly (Huber)
  double enough = 1e-4;  // stops when a round gains less than this part
};

struct Fit {
  std::vector<double> x{};
  std::vector<double> spread{};  // standard error of each
  double before = 0.0;           // of what is minimized
  double after = 0.0;
};

struct Residuals {
  std::function<std::vector<double>(const std::vector<double>& x)> all{};
  // Brings residuals up to date after x[i] has changed, and nothing else.
  std::function<void(const std::vector<double>& x, std::size_t i, std::vector<double>& residuals)>
      changed{};
};

// Minimizes the sum of Huber's function of residuals(x), each x within its bounds, by damped
// Gauss-Newton steps (Levenberg 1944, Marquardt 1963) from `x`; derivatives by differences.
Fit least_squares(const Residuals& residuals,
                  std::vector<double> x,
                  const std::vector<double>& least,
                  const std::vector<double>& most,
                  const FitOptions& options = {});

}  // namespace cairn::validate
