// All points of a space without continuous axes, except those that a lower bound rules out.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "cairn/search/algorithm.hpp"

namespace cairn::search {

class Exhaustive final : public Algorithm {
 public:
  // A lower bound of a point's objective.
  using Bound = std::function<double(const Point&)>;

  struct Options {
    std::size_t at_once = 64;  // independent of the number of threads, for reproducible results
  };

  // Without a bound all points are asked for, in order; with one, the lowest bound first, and
  // points whose bound is not below the best so far are pruned.
  Exhaustive(const Space& space, const Options& options, const Bound& bound = {});

  std::vector<Point> ask() override;
  void tell(std::span<const Outcome> outcomes) override;

  [[nodiscard]] std::size_t pruned() const override { return pruned_; }

 private:
  struct Candidate {
    Point point{};
    double bound = -std::numeric_limits<double>::infinity();
  };

  Options options_;
  std::vector<Candidate> candidates_;
  std::size_t next_ = 0;
  std::size_t pruned_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace cairn::search
