#include "cairn/memory/bound.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

// For each action, the kernel (by position) that it may first overlap with, and the first that is
// sure to begin after it has ended.
struct Extent {
  std::vector<std::size_t> begins;
  std::vector<std::size_t> ended;
};

Extent extent_of(const Schedule& schedule, const std::vector<std::size_t>& kernels) {
  const std::size_t actions = schedule.actions.size();
  Extent extent{std::vector<std::size_t>(actions, 0),
                std::vector<std::size_t>(actions, kernels.size())};
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    extent.begins[kernels[k]] = k;
    extent.ended[kernels[k]] = k + 1;
  }
  for (std::size_t a = 0; a < actions; ++a) {
    const Action& action = schedule.actions[a];
    if (!action.computes()) {
      for (const Id<Action> before : action.after) {
        const bool kernel = schedule.actions[before.index()].computes();
        extent.begins[a] =
            std::max(extent.begins[a], extent.begins[before.index()] + (kernel ? 1 : 0));
      }
    }
  }
  for (std::size_t a = actions; a-- > 0;) {
    const Action& action = schedule.actions[a];
    const std::size_t known = action.computes() ? extent.begins[a] : extent.ended[a];
    for (const Id<Action> before : action.after) {
      if (!schedule.actions[before.index()].computes()) {
        extent.ended[before.index()] = std::min(extent.ended[before.index()], known);
      }
    }
  }
  return extent;
}

}  // namespace

MemoryBound memory_bound(const Schedule& schedule) {
  MemoryBound bound;
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    if (schedule.actions[a].computes()) {
      bound.kernels.push_back(a);
    }
  }
  const Extent extent = extent_of(schedule, bound.kernels);
  // Differences from one kernel to the next, then summed up.
  std::vector<double> change(bound.kernels.size() + 1, 0.0);
  for (const Life& life : schedule.lives) {
    const std::size_t begin = life.from ? extent.begins[life.from->index()] : 0;
    std::size_t end = life.until.empty() ? bound.kernels.size() : 0;
    for (const Id<Action> last : life.until) {
      end = std::max(end, extent.ended[last.index()]);
    }
    end = std::max(end, begin);
    bound.span.emplace_back(begin, end);
    if (begin < end) {
      change[begin] += life.bytes.si();
      change[end] -= life.bytes.si();
    }
  }
  double in_use = 0.0;
  for (std::size_t k = 0; k < bound.kernels.size(); ++k) {
    in_use += change[k];
    bound.at.emplace_back(in_use);
    if (bound.at[k] > bound.at[bound.peak]) {
      bound.peak = k;
    }
  }
  return bound;
}

}  // namespace cairn::memory
