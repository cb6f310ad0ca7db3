#include "cairn/memory/bound.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

constexpr std::uint32_t kNoStage = 0xFFFFFFFF;

}  // namespace

ActionSlots::ActionSlots(std::span<const Action> actions) {
  turn_.reserve(actions.size());
  first_before_.reserve(actions.size() + 1);
  for (const Action& action : actions) {
    turn_.push_back(action.takes_turn() ? action.stage : kNoStage);
    first_before_.push_back(static_cast<std::uint32_t>(before_.size()));
    for (const Id<Action> before : action.after) {
      before_.push_back(before.value);
    }
  }
  first_before_.push_back(static_cast<std::uint32_t>(before_.size()));
}

void ActionSlots::find(std::uint32_t stage,
                       std::span<const std::size_t> kernels,
                       Extent& extent) const {
  const std::size_t actions = turn_.size();
  extent.begins.assign(actions, 0);
  extent.ended.assign(actions, static_cast<std::uint32_t>(2 * kernels.size() + 1));
  for (std::uint32_t k = 0; k < kernels.size(); ++k) {
    extent.begins[kernels[k]] = 2 * k + 1;
    extent.ended[kernels[k]] = 2 * k + 2;
  }
  for (std::size_t a = 0; a < actions; ++a) {
    if (turn_[a] != stage) {
      for (std::uint32_t b = first_before_[a]; b < first_before_[a + 1]; ++b) {
        const std::uint32_t before = before_[b];
        const std::uint32_t kernel = turn_[before] == stage ? 1 : 0;
        extent.begins[a] = std::max(extent.begins[a], extent.begins[before] + kernel);
      }
    }
  }
  for (std::size_t a = actions; a-- > 0;) {
    const std::uint32_t known = turn_[a] == stage ? extent.begins[a] : extent.ended[a];
    for (std::uint32_t b = first_before_[a]; b < first_before_[a + 1]; ++b) {
      const std::uint32_t before = before_[b];
      if (turn_[before] != stage) {
        extent.ended[before] = std::min(extent.ended[before], known);
      }
    }
  }
}

namespace {

// The memory of a repeated pass by slot, like that of a stage: relative to the slot before it.
struct BodyMemory {
  double before = 0.0;          // change before the first kernel
  double inside = 0.0;          // total change from the first kernel to the end of the last
  double peak = 0.0;            // maximum of the sum of changes inside
  double after = 0.0;           // change after the last kernel
  std::size_t peak_kernel = 0;  // position in the body
};

BodyMemory memory_of(const PassBody& body) {
  std::vector<std::size_t> kernels;
  for (std::size_t a = 0; a < body.actions.size(); ++a) {
    if (body.actions[a].computes()) {
      kernels.push_back(a);
    }
  }
  ActionSlots::Extent extent;
  ActionSlots(body.actions).find(body.stage, kernels, extent);
  const std::size_t last = 2 * kernels.size();
  std::vector<double> change(last + 1, 0.0);
  for (const MemoryChange& each : body.memory) {
    std::size_t slot = 1;
    if (each.at == ChangeAt::kBegin) {
      slot = extent.begins[each.actions.front()];
    } else if (each.at == ChangeAt::kEnd) {
      slot = 0;
      for (const std::uint32_t action : each.actions) {
        slot = std::max<std::size_t>(slot, extent.ended[action]);
      }
    }
    change[std::min(slot, last)] += each.bytes.si();
  }
  BodyMemory memory{.before = change.front(), .after = change.back()};
  memory.peak = change[1];
  memory.peak_kernel = kernels.front();
  for (std::size_t slot = 1; slot < last; ++slot) {
    memory.inside += change[slot];
    if (memory.inside > memory.peak) {
      memory.peak = memory.inside;
      memory.peak_kernel = kernels[std::min(slot / 2, kernels.size() - 1)];
    }
  }
  return memory;
}

}  // namespace

MemoryBounds::MemoryBounds(const Schedule& schedule)
    : schedule_(schedule),
      slots_(schedule.actions),
      kernels_(schedule.stages.size()),
      live_ranges_(schedule.stages.size()) {
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    if (schedule.actions[a].takes_turn()) {
      kernels_[schedule.actions[a].stage].push_back(a);
    }
  }
  for (std::uint32_t r = 0; r < schedule.live_ranges.size(); ++r) {
    live_ranges_[schedule.live_ranges[r].stage].push_back(r);
  }
}

MemoryBound MemoryBounds::of(std::uint32_t stage) {
  const Schedule& schedule = schedule_;
  MemoryBound bound{.kernels = kernels_[stage]};
  std::vector<BodyMemory> bodies;
  for (const PassBody& body : schedule.bodies) {
    bodies.push_back(body.stage == stage ? memory_of(body) : BodyMemory{});
  }
  slots_.find(stage, bound.kernels, extent_);
  const std::size_t slots = 2 * bound.kernels.size() + 1;
  // Difference to the previous slot.
  std::vector<double> change(slots + 1, 0.0);
  for (const std::uint32_t r : live_ranges_[stage]) {
    const LiveRange& range = schedule.live_ranges[r];
    const std::size_t begin = range.from ? extent_.begins[range.from->index()] : 0;
    std::size_t end = range.until.empty() ? slots : 0;
    for (const Id<Action> last : range.until) {
      end = std::max<std::size_t>(end, extent_.ended[last.index()]);
    }
    end = std::max(end, begin);
    bound.spans.push_back({r, begin, end});
    if (begin < end) {
      change[begin] += range.bytes.si();
      change[end] -= range.bytes.si();
    }
  }
  std::vector<double> inside(slots, 0.0);  // more at the peak of a pass than at its start
  for (std::size_t k = 0; k < bound.kernels.size(); ++k) {
    const Action& action = schedule.actions[bound.kernels[k]];
    if (action.kind == ActionKind::kPass) {
      const BodyMemory& memory = bodies[action.subject];
      change[2 * k] += memory.before;
      inside[2 * k + 1] = memory.peak;
      change[2 * k + 2] += memory.inside + memory.after;
    }
  }
  double in_use = 0.0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    in_use += change[slot];
    bound.at.emplace_back(in_use + inside[slot]);
    if (bound.at[slot] > bound.at[bound.peak]) {
      bound.peak = slot;
    }
  }
  return bound;
}

const Action& kernel_at_peak(const Schedule& schedule, const MemoryBound& bound) {
  const Action& action =
      schedule.actions[bound.kernels[std::min(bound.peak / 2, bound.kernels.size() - 1)]];
  if (action.kind != ActionKind::kPass) {
    return action;
  }
  const PassBody& body = schedule.bodies[action.subject];
  return body.actions[memory_of(body).peak_kernel];
}

}  // namespace cairn::memory
