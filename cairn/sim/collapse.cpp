#include "cairn/sim/collapse.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/sim/critical_steps.hpp"

namespace cairn::sim {

namespace {

using Parts = std::vector<PhaseProgram*>;

bool has_steps(const PhaseProgram& part) {
  return std::ranges::any_of(part.phases, [](const Phase& phase) { return phase.steps > 1; });
}

// The phase programs of each issuer that start together.
std::vector<Parts> collectives_of(Program& program) {
  std::map<std::pair<Id<Issuer>, std::vector<Id<Task>>>, Parts> by_start;
  for (Task& task : program.tasks) {
    if (auto* part = std::get_if<PhaseProgram>(&task.what)) {
      by_start[{part->issuer, task.after}].push_back(part);
    }
  }
  std::vector<Parts> collectives;
  for (auto& [start, parts] : by_start) {
    if (std::ranges::any_of(parts, [](const PhaseProgram* part) { return has_steps(*part); })) {
      collectives.push_back(std::move(parts));
    }
  }
  return collectives;
}

// Parts that draw on a common resource, directly or through others, stay together.
std::vector<Parts> groups_with_common_resources(const Program& program, const Parts& parts) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> joined(parts.size());
  std::iota(joined.begin(), joined.end(), std::size_t{0});
  const auto first_of = [&](std::size_t part) {
    while (joined[part] != part) {
      part = joined[part];
    }
    return part;
  };
  std::vector<std::size_t> user(program.resources.size(), kNone);
  for (std::size_t i = 0; i < parts.size() && parts.size() > 1; ++i) {
    for (const Lane& lane : parts[i]->lanes) {
      for (const Draw& draw : program.demands[lane.demand.index()].draws) {
        std::size_t& other = user[draw.resource.index()];
        other = other == kNone ? i : other;
        const auto [low, high] = std::minmax({first_of(i), first_of(other)});
        joined[high] = low;
      }
    }
  }
  std::vector<Parts> groups(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    groups[first_of(i)].push_back(parts[i]);
  }
  std::erase_if(groups, [](const Parts& group) { return group.empty(); });
  return groups;
}

void collapse_part(Program& program, const GuaranteedRate& guaranteed, PhaseProgram& part) {
  for (Phase& phase : part.phases) {
    phase.collapsed = phase.steps > 1;
    for (std::uint32_t l = phase.first_lane; phase.collapsed && l < phase.end_lane; ++l) {
      Lane& lane = part.lanes[l];
      Demand demand = program.demands[lane.demand.index()];
      lane.step_latency = demand.latency;
      lane.step_rate = 1.0 / guaranteed.seconds_per_byte(demand);
      demand.latency = Seconds(0.0);
      lane.demand = program.add(std::move(demand));
    }
  }
}

}  // namespace

void collapse_steps(Program& program, Collapse which, Progress progress) {
  for (const Parts& collective : collectives_of(program)) {
    const GuaranteedRate guaranteed(program, collective, progress);
    for (const Parts& parts : groups_with_common_resources(program, collective)) {
      if (which == Collapse::kEverywhere || steps_are_critical(program, guaranteed, parts)) {
        for (PhaseProgram* part : parts) {
          collapse_part(program, guaranteed, *part);
        }
      }
    }
  }
}

}  // namespace cairn::sim
