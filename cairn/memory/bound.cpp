#include "cairn/memory/bound.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

// By action: the first slot it may be in, and the first slot after it has certainly ended.
struct Extent {
  std::vector<std::size_t> begins;
  std::vector<std::size_t> ended;
};

Extent extent_of(const Schedule& schedule,
                 std::uint32_t stage,
                 const std::vector<std::size_t>& kernels) {
  const std::size_t actions = schedule.actions.size();
  const auto is_kernel = [&](const Action& action) {
    return action.computes() && action.stage == stage;
  };
  Extent extent{std::vector<std::size_t>(actions, 0),
                std::vector<std::size_t>(actions, 2 * kernels.size() + 1)};
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    extent.begins[kernels[k]] = 2 * k + 1;
    extent.ended[kernels[k]] = 2 * k + 2;
  }
  for (std::size_t a = 0; a < actions; ++a) {
    const Action& action = schedule.actions[a];
    if (!is_kernel(action)) {
      for (const Id<Action> before : action.after) {
        const bool kernel = is_kernel(schedule.actions[before.index()]);
        extent.begins[a] =
            std::max(extent.begins[a], extent.begins[before.index()] + (kernel ? 1 : 0));
      }
    }
  }
  for (std::size_t a = actions; a-- > 0;) {
    const Action& action = schedule.actions[a];
    const std::size_t known = is_kernel(action) ? extent.begins[a] : extent.ended[a];
    for (const Id<Action> before : action.after) {
      if (!is_kernel(schedule.actions[before.index()])) {
        extent.ended[before.index()] = std::min(extent.ended[before.index()], known);
      }
    }
  }
  return extent;
}

}  // namespace

MemoryBound memory_bound(const Schedule& schedule, std::uint32_t stage) {
  MemoryBound bound;
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    if (schedule.actions[a].computes() && schedule.actions[a].stage == stage) {
      bound.kernels.push_back(a);
    }
  }
  const Extent extent = extent_of(schedule, stage, bound.kernels);
  const std::size_t slots = 2 * bound.kernels.size() + 1;
  // Difference to the previous slot.
  std::vector<double> change(slots + 1, 0.0);
  for (const LiveRange& range : schedule.live_ranges) {
    if (range.stage != stage) {
      bound.span.emplace_back(0, 0);
      continue;
    }
    const std::size_t begin = range.from ? extent.begins[range.from->index()] : 0;
    std::size_t end = range.until.empty() ? slots : 0;
    for (const Id<Action> last : range.until) {
      end = std::max(end, extent.ended[last.index()]);
    }
    end = std::max(end, begin);
    bound.span.emplace_back(begin, end);
    if (begin < end) {
      change[begin] += range.bytes.si();
      change[end] -= range.bytes.si();
    }
  }
  double in_use = 0.0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    in_use += change[slot];
    bound.at.emplace_back(in_use);
    if (bound.at[slot] > bound.at[bound.peak]) {
      bound.peak = slot;
    }
  }
  return bound;
}

std::size_t kernel_at_peak(const MemoryBound& bound) {
  return bound.kernels[std::min(bound.peak / 2, bound.kernels.size() - 1)];
}

}  // namespace cairn::memory
