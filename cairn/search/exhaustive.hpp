// All points of a space without numbers, but for those that a lower bound rules out.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "cairn/search/algorithm.hpp"

namespace cairn::search {

class Exhaustive final : public Algorithm {
 public:
  // At least what the one objective of a point would be.
  using Bound = std::function<double(const Point&)>;

  struct Options {
    std::size_t at_once = 64;  // whatever the number of threads, so that results repeat
  };

  // Without a bound all points are asked for, in their order; with one, the least bound first, and
  // none whose bound is not below what was found.
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
