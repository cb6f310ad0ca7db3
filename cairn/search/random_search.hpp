// Random search: the baseline for other algorithms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cairn/search/algorithm.hpp"
#include "cairn/search/dice.hpp"

namespace cairn::search {

class RandomSearch final : public Algorithm {
 public:
  struct Options {
    std::size_t trials = 1000;
    std::size_t at_once = 256;
    std::uint64_t seed = 1;
  };

  RandomSearch(Space space, const Options& options)
      : space_(std::move(space)), options_(options), dice_(options.seed) {}

  std::vector<Point> ask() override {
    std::vector<Point> points;
    while (asked_ < options_.trials && points.size() < options_.at_once) {
      points.push_back(random_point(space_, dice_));
      ++asked_;
    }
    return points;
  }

  void tell(std::span<const Outcome> /*outcomes*/) override {}

 private:
  Space space_;
  Options options_;
  Dice dice_;
  std::size_t asked_ = 0;
};

}  // namespace cairn::search
