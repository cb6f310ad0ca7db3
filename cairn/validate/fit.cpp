#include "cairn/validate/fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::validate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double huber(double residual, double outlier) {
  const double size = std::abs(residual);
  return size <= outlier ? 0.5 * size * size : outlier * (size - 0.5 * outlier);
}

double sum_of(const std::vector<double>& residuals, double outlier) {
  double sum = 0.0;
  for (const double residual : residuals) {
    sum += huber(residual, outlier);
  }
  return sum;
}

// Derivatives of residuals, each row and residual weighted so that squares are Huber's function.
struct Linear {
  MatrixXd slopes{};
  VectorXd now{};
};

Linear linear_at(const Residuals& residuals,
                 const std::vector<double>& x,
                 const std::vector<double>& now,
                 const std::vector<double>& most,
                 const FitOptions& options) {
  const auto rows = static_cast<Index>(now.size());
  const auto columns = static_cast<Index>(x.size());
  Linear linear{.slopes = MatrixXd(rows, columns), .now = VectorXd(rows)};
  std::vector<double> weights;
  for (const double residual : now) {
    const double size = std::abs(residual);
    weights.push_back(size <= options.outlier ? 1.0 : std::sqrt(options.outlier / size));
  }
  for (Index row = 0; row < rows; ++row) {
    const auto i = static_cast<std::size_t>(row);
    linear.now[row] = weights[i] * now[i];
  }
  for (Index column = 0; column < columns; ++column) {
    const auto i = static_cast<std::size_t>(column);
    std::vector<double> moved = x;
    const double step = x[i] + options.step > most[i] ? -options.step : options.step;
    moved[i] += step;
    std::vector<double> there = now;
    residuals.changed(moved, i, there);
    for (Index row = 0; row < rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      linear.slopes(row, column) = weights[r] * (there[r] - now[r]) / step;
    }
  }
  return linear;
}

}  // namespace

Fit least_squares(const Residuals& residuals,
                  std::vector<double> x,
                  const std::vector<double>& least,
                  const std::vector<double>& most,
                  const FitOptions& options) {
  constexpr double kFirstDamping = 1e-2;
  constexpr double kMostDamping = 1e4;
  constexpr double kFactor = 4.0;
  Fit fit{.x = std::move(x)};
  std::vector<double> now = residuals.all(fit.x);
  fit.before = fit.after = sum_of(now, options.outlier);
  double damping = kFirstDamping;
  MatrixXd normal;
  for (int round = 0; round < options.rounds && !fit.x.empty(); ++round) {
    const Linear linear = linear_at(residuals, fit.x, now, most, options);
    normal = linear.slopes.transpose() * linear.slopes;
    const VectorXd gradient = linear.slopes.transpose() * linear.now;
    const double begun = fit.after;
    bool better = false;
    while (!better && damping < kMostDamping) {
      MatrixXd damped = normal;
      damped.diagonal().array() += damping * (normal.diagonal().array() + 1e-9);
      const VectorXd step = damped.ldlt().solve(-gradient);
      std::vector<double> tried = fit.x;
      for (std::size_t i = 0; i < tried.size(); ++i) {
        tried[i] = std::clamp(tried[i] + step[static_cast<Index>(i)], least[i], most[i]);
      }
      std::vector<double> there = residuals.all(tried);
      const double sum = sum_of(there, options.outlier);
      better = sum < fit.after;
      damping = better ? damping / kFactor : damping * kFactor;
      if (better) {
        fit.x = std::move(tried);
        fit.after = sum;
        now = std::move(there);
      }
    }
    if (!better || fit.after > begun * (1.0 - options.enough)) {
      break;
    }
  }
  // Standard errors: the variance of residuals times the inverse of the normal matrix.
  fit.spread.assign(fit.x.size(), 0.0);
  if (normal.size() > 0 && now.size() > fit.x.size()) {
    const double variance = 2.0 * fit.after / static_cast<double>(now.size() - fit.x.size());
    MatrixXd regular = normal;
    regular.diagonal().array() += 1e-9;
    const MatrixXd inverse = regular.inverse();
    for (std::size_t i = 0; i < fit.x.size(); ++i) {
      const auto k = static_cast<Index>(i);
      fit.spread[i] = std::sqrt(std::max(0.0, variance * inverse(k, k)));
    }
  }
  return fit;
}

}  // namespace cairn::validate
