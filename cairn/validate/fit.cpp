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

// Derivatives and residuals, weighted so that squares give Huber's function.
struct Linear {
  MatrixXd slopes{};
  VectorXd now{};
};

class Search {
 public:
  Search(const Residuals& residuals,
         std::vector<double> x,
         const Bounds& bounds,
         const FitOptions& options)
      : residuals_(residuals),
        bounds_(bounds),
        options_(options),
        x_(std::move(x)),
        now_(residuals.all(x_)),
        sum_(sum_of(now_, options.outlier)) {}

  [[nodiscard]] double sum() const { return sum_; }

  [[nodiscard]] const std::vector<double>& x() const { return x_; }

  [[nodiscard]] std::size_t rows() const { return now_.size(); }

  // First with one-sided differences, then, after these converge, with two-sided ones: they differ
  // at kinks.
  void descend() {
    double damping = kFirstDamping;
    bool both_ways = false;
    for (int round = 0; round < options_.rounds; ++round) {
      const double begun = sum_;
      const bool better = step(both_ways, damping);
      if (better && gained(begun, both_ways ? options_.enough : kCoarsely)) {
        continue;
      }
      if (both_ways) {
        return;
      }
      both_ways = true;
      damping = kFirstDamping;
    }
  }

  // Returns whether a jump reduced the objective.
  bool jump() {
    const double begun = sum_;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      for (const double distance : options_.jumps) {
        for (const double way : {distance, -distance}) {
          try_at(i, x_[i] + way);
        }
      }
    }
    return gained(begun, kCoarsely);
  }

  // With two-sided differences within the bounds.
  [[nodiscard]] MatrixXd normal_matrix() const {
    const MatrixXd slopes = linear(true).slopes;
    return slopes.transpose() * slopes;
  }

 private:
  static constexpr double kFirstDamping = 1e-2;
  static constexpr double kCoarsely = 1e-3;

  [[nodiscard]] bool gained(double begun, double part) const { return sum_ < begun * (1.0 - part); }

  [[nodiscard]] double within(std::size_t i, double value) const {
    return std::clamp(value, bounds_.least[i], bounds_.most[i]);
  }

  void try_at(std::size_t i, double value) {
    std::vector<double> tried = x_;
    tried[i] = within(i, value);
    if (tried[i] == x_[i]) {
      return;
    }
    std::vector<double> there = now_;
    residuals_.changed(tried, i, there);
    accept(std::move(tried), std::move(there));
  }

  bool accept(std::vector<double> tried, std::vector<double> there) {
    const double sum = sum_of(there, options_.outlier);
    if (sum >= sum_) {
      return false;
    }
    x_ = std::move(tried);
    now_ = std::move(there);
    sum_ = sum;
    return true;
  }

  [[nodiscard]] std::vector<double> residuals_at(std::size_t i, double value) const {
    std::vector<double> there = now_;
    std::vector<double> x = x_;
    x[i] = value;
    residuals_.changed(x, i, there);
    return there;
  }

  [[nodiscard]] Linear linear(bool both_ways) const {
    const auto rows = static_cast<Index>(now_.size());
    Linear linear{.slopes = MatrixXd(rows, static_cast<Index>(x_.size())), .now = VectorXd(rows)};
    VectorXd weights(rows);
    for (Index row = 0; row < rows; ++row) {
      const double residual = now_[static_cast<std::size_t>(row)];
      const double size = std::abs(residual);
      weights[row] = size <= options_.outlier ? 1.0 : std::sqrt(options_.outlier / size);
      linear.now[row] = weights[row] * residual;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double up = std::min(x_[i] + options_.step, bounds_.most[i]);
      double down = both_ways ? std::max(x_[i] - options_.step, bounds_.least[i]) : x_[i];
      if (up <= x_[i]) {
        up = x_[i];
        down = x_[i] - options_.step;
      }
      const std::vector<double> above = up > x_[i] ? residuals_at(i, up) : now_;
      const std::vector<double> below = down < x_[i] ? residuals_at(i, down) : now_;
      for (Index row = 0; row < rows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        linear.slopes(row, static_cast<Index>(i)) =
            weights[row] * (above[r] - below[r]) / (up - down);
      }
    }
    return linear;
  }

  // Indices of parameters that a descent step keeps within their bounds.
  [[nodiscard]] std::vector<Index> movable(const VectorXd& gradient) const {
    std::vector<Index> free;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double slope = gradient[static_cast<Index>(i)];
      const bool stuck =
          (x_[i] >= bounds_.most[i] && slope < 0.0) || (x_[i] <= bounds_.least[i] && slope > 0.0);
      if (!stuck) {
        free.push_back(static_cast<Index>(i));
      }
    }
    return free;
  }

  bool step(bool both_ways, double& damping) {
    constexpr double kMaxDamping = 1e4;
    constexpr double kFactor = 4.0;
    const Linear at = linear(both_ways);
    const VectorXd gradient = at.slopes.transpose() * at.now;
    const std::vector<Index> free = movable(gradient);
    const MatrixXd slopes = at.slopes(Eigen::all, free);
    const MatrixXd normal = slopes.transpose() * slopes;
    bool better = false;
    while (!better && damping < kMaxDamping) {
      MatrixXd damped = normal;
      damped.diagonal().array() += damping * (normal.diagonal().array() + kTiny);
      const VectorXd step = damped.ldlt().solve(-gradient(free));
      std::vector<double> tried = x_;
      for (std::size_t k = 0; k < free.size(); ++k) {
        const auto i = static_cast<std::size_t>(free[k]);
        tried[i] = within(i, tried[i] + step[static_cast<Index>(k)]);
      }
      std::vector<double> there = residuals_.all(tried);
      better = accept(std::move(tried), std::move(there));
      damping = better ? damping / kFactor : damping * kFactor;
    }
    return better;
  }

  static constexpr double kTiny = 1e-9;

  const Residuals& residuals_;
  const Bounds& bounds_;
  const FitOptions& options_;
  std::vector<double> x_;
  std::vector<double> now_;
  double sum_;
};

// Standard errors: the variance of residuals times the inverse of the normal matrix.
void estimate_spread(const MatrixXd& normal,
                     std::size_t rows,
                     const FitOptions& options,
                     Fit& fit) {
  constexpr double kRidge = 1e-9;
  constexpr double kMuch = 1.01;
  fit.spread.assign(fit.x.size(), 0.0);
  fit.determined.assign(fit.x.size(), true);
  std::vector<Index> rest;
  for (std::size_t i = 0; i < fit.x.size(); ++i) {
    rest.push_back(static_cast<Index>(i));
  }
  while (!rest.empty()) {
    MatrixXd regular = normal(rest, rest);
    regular.diagonal().array() += kRidge;
    const VectorXd unknown = regular.inverse().diagonal();
    const bool enough = rows > rest.size();
    const double variance =
        enough ? 2.0 * fit.after / static_cast<double>(rows - rest.size()) : 1.0;
    std::size_t worst = rest.size() - 1;
    for (std::size_t k = rest.size(); k-- > 0;) {
      const auto at = static_cast<Index>(k);
      fit.spread[static_cast<std::size_t>(rest[k])] =
          std::sqrt(std::max(0.0, variance * unknown[at]));
      if (unknown[at] > kMuch * unknown[static_cast<Index>(worst)]) {
        worst = k;
      }
    }
    // Even with zero variance, a parameter that no row depends on is undetermined.
    const bool determined = enough && unknown[static_cast<Index>(worst)] < 1.0 / (2.0 * kRidge) &&
                            fit.spread[static_cast<std::size_t>(rest[worst])] < options.max_spread;
    if (determined) {
      return;
    }
    fit.determined[static_cast<std::size_t>(rest[worst])] = false;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(worst));
  }
}

}  // namespace

Fit least_squares(const Residuals& residuals,
                  std::vector<double> x,
                  const Bounds& bounds,
                  const FitOptions& options) {
  Search search(residuals, std::move(x), bounds, options);
  Fit fit{.before = search.sum()};
  if (!search.x().empty()) {
    do {
      search.descend();
    } while (search.jump());
  }
  fit.x = search.x();
  fit.after = search.sum();
  if (!fit.x.empty()) {
    estimate_spread(search.normal_matrix(), search.rows(), options, fit);
  }
  return fit;
}

}  // namespace cairn::validate
