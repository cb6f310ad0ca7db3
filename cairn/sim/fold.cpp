#include "cairn/sim/fold.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "cairn/sim/refinement.hpp"

namespace cairn::sim {

namespace {

// Needs of one lane class, in terms of resource classes. A need that `lane_members` lanes have on
// members of a class of `size`, each on `hops` of them, falls `lane_members * hops / size` times on
// each.
template <class Need>
std::vector<Need> fold_needs(const std::vector<Need>& needs,
                             const Classes& resources,
                             std::uint32_t lane_members) {
  std::vector<Need> folded;
  for (const Need& need : needs) {
    const std::uint32_t cls = resources.of[need.resource.index()];
    const double count = need.count * lane_members / resources.size[cls];
    const auto same = std::find_if(folded.begin(), folded.end(), [&](const Need& other) {
      return other.resource.value == cls && other.amount == need.amount;
    });
    if (same != folded.end()) {
      same->count += count;
    } else {
      folded.push_back({Id<Resource>(cls), need.amount, count});
    }
  }
  return folded;
}

// Folds the phase program of one task, whose ranks and lanes are numbered from first_rank,
// first_lane.
struct TaskFold {
  const Program& original;
  const Classes& lanes;
  const Classes& ranks;
  const Classes& resources;
  const Classes& stations;
  std::size_t first_rank;
  std::size_t first_lane;

  PhaseProgram apply(const PhaseProgram& phases, Program& folded) const {
    PhaseProgram result = phases;
    result.phases.clear();
    result.lanes.clear();
    // Classes are numbered by first appearance, so those of one task are consecutive.
    const std::uint32_t first_class = phases.ranks == 0 ? 0 : ranks.of[first_rank];
    std::uint32_t end_class = first_class;
    for (std::size_t r = first_rank; r < first_rank + phases.ranks; ++r) {
      end_class = std::max(end_class, ranks.of[r] + 1);
    }
    result.ranks = end_class - first_class;
    for (Phase phase : phases.phases) {
      const std::uint32_t begin = phase.first_lane;
      const std::uint32_t end = phase.end_lane;
      phase.first_lane = static_cast<std::uint32_t>(result.lanes.size());
      for (std::uint32_t l = begin; l < end; ++l) {
        const std::uint32_t lane_class = lanes.of[first_lane + l];
        if (lanes.first[lane_class] == first_lane + l) {
          result.lanes.push_back(
              fold_lane(phases.lanes[l], lanes.size[lane_class], first_class, folded));
        }
      }
      phase.end_lane = static_cast<std::uint32_t>(result.lanes.size());
      result.phases.push_back(phase);
    }
    result.occupancies = fold_occupancies(phases, first_class, result.ranks);
    return result;
  }

  [[nodiscard]] std::vector<Occupancy> fold_occupancies(const PhaseProgram& phases,
                                                        std::uint32_t first_class,
                                                        std::uint32_t classes) const {
    std::vector<Occupancy> folded;
    for (std::size_t p = 0; p < phases.phases.size() && !phases.occupancies.empty(); ++p) {
      for (std::uint32_t c = first_class; c < first_class + classes; ++c) {
        Occupancy occupancy = phases.occupancies[p * phases.ranks + ranks.first[c] - first_rank];
        if (occupancy.station != kNowhere) {
          occupancy.station = Id<Station>(stations.of[occupancy.station.index()]);
        }
        folded.push_back(occupancy);
      }
    }
    return folded;
  }

  Lane fold_lane(Lane lane,
                 std::uint32_t members,
                 std::uint32_t first_class,
                 Program& folded) const {
    Demand demand = original.demands[lane.demand.index()];
    demand.draws = fold_needs(demand.draws, resources, members);
    demand.holds = fold_needs(demand.holds, resources, members);
    lane.from = ranks.of[first_rank + lane.from] - first_class;
    lane.to = ranks.of[first_rank + lane.to] - first_class;
    lane.demand = folded.add(std::move(demand));
    return lane;
  }
};

bool can_fold(const Program& program) {
  return std::ranges::all_of(program.tasks, [](const Task& task) {
    return std::holds_alternative<PhaseProgram>(task.what);
  });
}

// A hold of several members of a class on one resource would be granted one after the other if it
// has no capacity for all, and they would no longer behave identically.
bool holds_fit(const Program& folded) {
  for (const Demand& demand : folded.demands) {
    for (const Hold& hold : demand.holds) {
      if (hold.count > 1.0 &&
          hold.amount * hold.count > folded.resources[hold.resource.index()].capacity) {
        return false;
      }
    }
  }
  return true;
}

// By resource: whether an issuer common to all members of its class draws on it.
std::vector<bool> drawn_on_by_common_issuer(const Program& folded) {
  std::vector<bool> drawn(folded.resources.size(), false);
  for (const Task& task : folded.tasks) {
    const auto& part = std::get<PhaseProgram>(task.what);
    if (folded.issuers[part.issuer.index()].per_member) {
      continue;
    }
    for (const Lane& lane : part.lanes) {
      for (const Draw& draw : folded.demands[lane.demand.index()].draws) {
        drawn[draw.resource.index()] = true;
      }
    }
  }
  return drawn;
}

// Members of a class that each are an issuer have a share each. If they draw unequal amounts on one
// resource, a single draw for all of them has the right share among themselves, but not against an
// issuer common to all members of another class.
bool shares_fit(const Program& folded) {
  const std::vector<bool> has_common_issuer = drawn_on_by_common_issuer(folded);
  for (const Task& task : folded.tasks) {
    const auto& part = std::get<PhaseProgram>(task.what);
    if (!folded.issuers[part.issuer.index()].per_member) {
      continue;
    }
    for (const Lane& lane : part.lanes) {
      const std::vector<Draw>& draws = folded.demands[lane.demand.index()].draws;
      for (std::size_t d = 1; d < draws.size(); ++d) {
        const auto before = draws.begin() + static_cast<std::ptrdiff_t>(d);
        if (has_common_issuer[draws[d].resource.index()] &&
            std::find_if(draws.begin(), before, [&](const Draw& other) {
              return other.resource == draws[d].resource;
            }) != before) {
          return false;
        }
      }
    }
  }
  return true;
}

// Each rank of a class must have its own station; otherwise ranks would wait for each other.
bool stations_fit(const FoldedProgram& folded) {
  for (std::size_t t = 0; t < folded.program.tasks.size(); ++t) {
    const auto& part = std::get<PhaseProgram>(folded.program.tasks[t].what);
    for (std::size_t i = 0; i < part.occupancies.size(); ++i) {
      const Id<Station> station = part.occupancies[i].station;
      if (station != kNowhere &&
          folded.rank_members[t][i % part.ranks] != folded.station_members[station.index()]) {
        return false;
      }
    }
  }
  return true;
}

// Keeps one station of each class, with owners renumbered consecutively.
void number_owners(const Program& program, const Classes& stations, Program& folded) {
  std::unordered_map<std::uint32_t, std::uint32_t> number;  // by owner in the original
  for (const std::uint32_t member : stations.first) {
    Station station = program.stations[member];
    const auto next = static_cast<std::uint32_t>(number.size());
    station.owner = number.try_emplace(station.owner, next).first->second;
    folded.stations.push_back(std::move(station));
  }
}

}  // namespace

std::optional<FoldedProgram> fold(const Program& program) {
  if (!can_fold(program)) {
    return std::nullopt;
  }
  const auto partition = find_partition(program);
  if (!partition) {
    return std::nullopt;
  }
  const auto& [lanes, ranks, resources, stations] = *partition;

  FoldedProgram folded;
  folded.resource = resources.first;
  folded.resource_members = resources.size;
  folded.resource_class = resources.of;
  folded.rank_classes = static_cast<std::uint32_t>(ranks.first.size());
  folded.lane_classes = static_cast<std::uint32_t>(lanes.first.size());
  folded.program.issuers = program.issuers;
  folded.station_members = stations.size;
  number_owners(program, stations, folded.program);
  for (const std::uint32_t member : resources.first) {
    folded.program.resources.push_back(program.resources[member]);
  }
  std::size_t first_rank = 0;
  std::size_t first_lane = 0;
  for (const Task& task : program.tasks) {
    const auto& phases = std::get<PhaseProgram>(task.what);
    const TaskFold task_fold{program, lanes, ranks, resources, stations, first_rank, first_lane};
    PhaseProgram of_classes = task_fold.apply(phases, folded.program);
    const std::size_t first_class = phases.ranks == 0 ? 0 : ranks.of[first_rank];
    const auto sizes = ranks.size.begin() + static_cast<std::ptrdiff_t>(first_class);
    folded.rank_members.emplace_back(sizes, sizes + of_classes.ranks);
    folded.program.add(Task{std::move(of_classes), task.after});
    first_rank += phases.ranks;
    first_lane += phases.lanes.size();
  }
  if (!holds_fit(folded.program) || !shares_fit(folded.program) || !stations_fit(folded)) {
    return std::nullopt;
  }
  return folded;
}

}  // namespace cairn::sim
