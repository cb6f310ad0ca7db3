#include "cairn/search/exhaustive.hpp"

#include <algorithm>
#include <utility>

namespace cairn::search {

Exhaustive::Exhaustive(const Space& space, const Options& options, const Bound& bound)
    : options_(options) {
  for (Point& point : space.all_points()) {
    Candidate candidate{.point = std::move(point)};
    if (bound) {
      candidate.bound = bound(candidate.point);
    }
    candidates_.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(candidates_, {}, &Candidate::bound);
}

std::vector<Point> Exhaustive::ask() {
  std::vector<Point> points;
  while (next_ < candidates_.size() && points.size() < options_.at_once) {
    if (candidates_[next_].bound >= best_) {  // so are all that follow
      pruned_ += candidates_.size() - next_;
      next_ = candidates_.size();
      break;
    }
    points.push_back(candidates_[next_].point);
    ++next_;
  }
  return points;
}

void Exhaustive::tell(std::span<const Outcome> outcomes) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.is_feasible()) {
      best_ = std::min(best_, outcome.objectives.front());
    }
  }
}

}  // namespace cairn::search
