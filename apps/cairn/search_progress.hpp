// Progress line of a search.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "cairn/explore/explore.hpp"

namespace cairn::app {

class SearchProgress {
 public:
  // `stored`: trials already in the store, which are not evaluated again.
  SearchProgress(const explore::Request& request, std::size_t stored);

  void on_done(const explore::DesignTrial& trial);

  // Number of designs whose lower bound is known; evaluation starts when all are.
  void on_bounds(std::size_t done, std::size_t of);

  // "lower bounds of 512 of 1000 designs", then
  // "340 of at most 1000 designs, 75.1 per second, step time 7.938 ms, at most 9 s left".
  [[nodiscard]] std::string line(long seconds) const;

 private:
  const explore::Request& request_;
  std::size_t stored_;
  std::size_t most_;
  mutable std::mutex mutex_{};
  std::size_t done_ = 0;
  std::size_t bounds_ = 0;
  std::size_t bounds_of_ = 0;
  std::optional<double> best_{};  // of the first objective
};

}  // namespace cairn::app
