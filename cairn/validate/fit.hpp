// Least squares with few parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace cairn::validate {

struct FitOptions {
  int rounds = 40;       // of Gauss-Newton steps, each time that they are begun
  double step = 0.05;    // of a parameter, for differences
  double outlier = 0.2;  // residuals beyond this count linearly (Huber)
  double enough = 1e-4;  // stops when a round gains less than this part
  // Where steps gain nothing more, each parameter alone is moved by these, up and down: residuals
  // have kinks, and places where they do not depend on a parameter that matters elsewhere.
  std::vector<double> jumps{0.3, 1.0, 2.0};
  double untold = 1.0;  // a spread from which on residuals do not tell a parameter
};

struct Fit {
  std::vector<double> x{};
  std::vector<double> spread{};  // standard error of each, of those that are told
  // Else residuals do not tell it: they depend on it too little, or as on others, or are too few.
  // Of those that make up for each other, the ones that are known least are not told, one by one,
  // until the rest is; spreads of the rest are with these fixed where they are.
  std::vector<bool> told{};
  double before = 0.0;  // of what is minimized
  double after = 0.0;
};

struct Residuals {
  std::function<std::vector<double>(const std::vector<double>& x)> all{};
  // Brings residuals up to date after x[i] has changed, and nothing else.
  std::function<void(const std::vector<double>& x, std::size_t i, std::vector<double>& residuals)>
      changed{};
};

struct Bounds {
  std::vector<double> least{};
  std::vector<double> most{};
};

// Minimizes the sum of Huber's function of residuals(x), each x within its bounds, by damped
// Gauss-Newton steps (Levenberg 1944, Marquardt 1963) and jumps along single axes, in turns until
// neither gains anything, from `x`; derivatives by differences.
Fit least_squares(const Residuals& residuals,
                  std::vector<double> x,
                  const Bounds& bounds,
                  const FitOptions& options = {});

}  // namespace cairn::validate
