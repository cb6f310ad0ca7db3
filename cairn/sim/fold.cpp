#include "cairn/sim/fold.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <variant>

#include "cairn/base/cancellation.hpp"
#include "cairn/sim/colour.hpp"

namespace cairn::sim {

namespace {

// Class numbers by first appearance, and the first member of each class.
struct Classes {
  std::vector<std::uint32_t> of;     // by member
  std::vector<std::uint32_t> first;  // by class
  std::vector<std::uint32_t> size;   // by class

  explicit Classes(const std::vector<Colour>& colours) {
    std::unordered_map<Colour, std::uint32_t> number;
    of.reserve(colours.size());
    for (std::uint32_t member = 0; member < colours.size(); ++member) {
      const auto next = static_cast<std::uint32_t>(first.size());
      const auto [entry, is_new] = number.try_emplace(colours[member], next);
      if (is_new) {
        first.push_back(member);
        size.push_back(0);
      }
      ++size[entry->second];
      of.push_back(entry->second);
    }
  }
};

// Whether ranks wait for each other. They do not in a single phase of one chunk: all of its lanes
// start together, and the task ends with the last, so that a lane depends on its resources alone.
bool ranks_wait(const PhaseProgram& phases) {
  return phases.phases.size() != 1 ||
         (phases.phases.front().steps > 1 && !phases.phases.front().collapsed) ||
         phases.chunks() != 1 || !phases.occupancies.empty();
}

class Refinement {
 public:
  explicit Refinement(const Program& program) : program_(program) {
    resources_.reserve(program.resources.size());
    for (const Resource& resource : program.resources) {
      const auto kind =
          static_cast<Colour>(resource.kind) * 4 + static_cast<Colour>(resource.order);
      resources_.push_back(mix_value(mix(kind, resource.label), resource.capacity));
    }
    for (const Station& station : program.stations) {
      const auto kind = static_cast<Colour>(station.order) * 2 + (station.in_turn ? 1U : 0U);
      stations_.push_back(mix_value(mix_value(kind, station.room), station.machines));
    }
    for (std::size_t t = 0; t < program.tasks.size(); ++t) {
      const auto& phases = std::get<PhaseProgram>(program.tasks[t].what);
      first_rank_.push_back(ranks_.size());
      ranks_.resize(ranks_.size() + phases.ranks, mix(t));
      const bool waits = ranks_wait(phases);
      for (std::size_t p = 0; p < phases.phases.size(); ++p) {
        for (std::uint32_t l = phases.phases[p].first_lane; l < phases.phases[p].end_lane; ++l) {
          const Lane& lane = phases.lanes[l];
          const Demand& demand = program.demands[lane.demand.index()];
          Colour colour = mix_value(mix(t, p), lane.work);
          colour = mix_value(mix_value(colour, lane.step_latency.si()), lane.step_rate);
          colour = mix_value(mix_value(colour, demand.latency.si()), demand.speed_limit);
          lanes_.push_back(colour);
          lane_.push_back(
              {&lane, &demand, first_rank_[t] + lane.from, first_rank_[t] + lane.to, waits});
        }
      }
    }
  }

  // Refines until a further round splits no class. Where that takes too long, or most members are
  // in classes of their own, the connected components that are still changing are not folded.
  // False if no two members are in one class.
  bool run() {
    if (!refine()) {
      separate_unstable();
      while (!refine()) {  // components that are equal up to now may still turn out to differ
      }
    }
    return count_classes() < members();
  }

  [[nodiscard]] Classes lanes() const { return Classes(lanes_); }

  [[nodiscard]] Classes ranks() const { return Classes(ranks_); }

  [[nodiscard]] Classes resources() const { return Classes(resources_); }

  [[nodiscard]] Classes stations() const { return Classes(stations_); }

 private:
  struct LaneRef {
    const Lane* lane;
    const Demand* demand;
    std::size_t from;
    std::size_t to;
    bool ranks_wait;
  };

  // True once the partition is stable; false after many rounds, or if few members are equal.
  bool refine() {
    constexpr int kMaxRounds = 100;
    std::size_t classes = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
      check_cancelled();
      refine_once();
      const std::size_t now = count_classes();
      if (now == classes) {
        return true;
      }
      if (now > members() / 2 && !separated_) {
        return false;
      }
      classes = now;
    }
    return false;
  }

  [[nodiscard]] std::size_t members() const {
    return lanes_.size() + ranks_.size() + resources_.size() + stations_.size();
  }

  [[nodiscard]] std::size_t count_classes() const {
    return distinct(lanes_) + distinct(ranks_) + distinct(resources_) + distinct(stations_);
  }

  // Gives all members of components that a further round changes a colour of their own.
  void separate_unstable() {
    const Components components = find_components();
    const std::vector<std::size_t> before = classes_by_component(components);
    refine_once();
    const std::vector<std::size_t> after = classes_by_component(components);
    Colour own = 0;
    const auto separate = [&](std::vector<Colour>& colours, std::size_t first) {
      for (std::size_t i = 0; i < colours.size(); ++i) {
        const std::size_t component = components.of[first + i];
        if (before[component] != after[component]) {
          colours[i] = mix(++own);
        }
      }
    };
    separate(lanes_, components.first_lane);
    separate(ranks_, 0);
    separate(resources_, components.first_resource);
    separate(stations_, components.first_station);
    separated_ = true;
  }

  // Members that are connected, directly or through others; numbered ranks first.
  struct Components {
    std::size_t first_resource = 0;
    std::size_t first_station = 0;
    std::size_t first_lane = 0;
    std::vector<std::size_t> of{};  // a member that stands for the component

    std::size_t find(std::size_t member) {
      while (of[member] != member) {
        member = of[member] = of[of[member]];
      }
      return member;
    }

    void join(std::size_t a, std::size_t b) { of[find(a)] = find(b); }
  };

  [[nodiscard]] Components find_components() const {
    Components components{.first_resource = ranks_.size(),
                          .first_station = ranks_.size() + resources_.size(),
                          .first_lane = ranks_.size() + resources_.size() + stations_.size()};
    components.of.resize(members());
    std::iota(components.of.begin(), components.of.end(), std::size_t{0});
    for (std::size_t l = 0; l < lane_.size(); ++l) {
      const std::size_t lane = components.first_lane + l;
      if (lane_[l].ranks_wait) {
        components.join(lane, lane_[l].from);
        components.join(lane, lane_[l].to);
      }
      for (const Draw& draw : lane_[l].demand->draws) {
        components.join(lane, components.first_resource + draw.resource.index());
      }
      for (const Hold& hold : lane_[l].demand->holds) {
        components.join(lane, components.first_resource + hold.resource.index());
      }
    }
    for_each_occupancy([&](std::size_t rank, const Occupancy& occupancy, std::size_t, std::size_t) {
      components.join(rank, components.first_station + occupancy.station.index());
    });
    for (std::size_t member = 0; member < components.of.size(); ++member) {
      components.of[member] = components.find(member);
    }
    return components;
  }

  // Number of colours of the members of each component, by the member that stands for it.
  [[nodiscard]] std::vector<std::size_t> classes_by_component(const Components& components) const {
    std::vector<std::pair<std::size_t, Colour>> colours;
    colours.reserve(members());
    for (const auto* part : {&ranks_, &resources_, &stations_, &lanes_}) {
      for (const Colour colour : *part) {
        colours.emplace_back(components.of[colours.size()], colour);
      }
    }
    std::ranges::sort(colours);
    const auto repeated = std::ranges::unique(colours);
    colours.erase(repeated.begin(), repeated.end());
    std::vector<std::size_t> classes(components.of.size(), 0);
    for (const auto& [component, colour] : colours) {
      ++classes[component];
    }
    return classes;
  }

  // New colour = old colour and the multiset of neighbours' colours; sums of mixed colours
  // represent multisets.
  void refine_once() {
    std::vector<Colour> lanes(lanes_.size());
    std::vector<Colour> met_by_rank(ranks_.size(), 0);
    std::vector<Colour> met_by_resource(resources_.size(), 0);
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      const LaneRef& ref = lane_[l];
      Colour met = 0;
      if (ref.ranks_wait) {
        met = mix(mix(ranks_[ref.from], 1), mix(ranks_[ref.to], 2));
        met_by_rank[ref.from] += mix(lanes_[l], 1);
        met_by_rank[ref.to] += mix(lanes_[l], 2);
      }
      const auto meet = [&](std::size_t resource, Colour how) {
        met += mix(resources_[resource], how);
        met_by_resource[resource] += mix(lanes_[l], how);
      };
      for (const Draw& draw : ref.demand->draws) {
        meet(draw.resource.index(), mix_value(mix_value(3, draw.amount), draw.count));
      }
      for (const Hold& hold : ref.demand->holds) {
        meet(hold.resource.index(), mix_value(mix_value(4, hold.amount), hold.count));
      }
      lanes[l] = mix(lanes_[l], met);
    }
    lanes_ = std::move(lanes);
    meet_stations(met_by_rank);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      ranks_[i] = mix(ranks_[i], met_by_rank[i]);
    }
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      resources_[i] = mix(resources_[i], met_by_resource[i]);
    }
  }

  // Ranks and the stations they pass, phase by phase.
  void meet_stations(std::vector<Colour>& met_by_rank) {
    std::vector<Colour> met_by_station(stations_.size(), 0);
    for_each_occupancy(
        [&](std::size_t rank, const Occupancy& occupancy, std::size_t task, std::size_t phase) {
          const Colour how =
              mix_value(mix(mix(task, phase), occupancy.machine ? 5 : 6), occupancy.room);
          met_by_rank[rank] += mix(stations_[occupancy.station.index()], how);
          met_by_station[occupancy.station.index()] += mix(ranks_[rank], how);
        });
    for (std::size_t i = 0; i < stations_.size(); ++i) {
      stations_[i] = mix(stations_[i], met_by_station[i]);
    }
  }

  // Calls visit(rank, occupancy, task, phase).
  template <class Visit>
  void for_each_occupancy(Visit visit) const {
    for (std::size_t t = 0; t < program_.tasks.size(); ++t) {
      const auto& part = std::get<PhaseProgram>(program_.tasks[t].what);
      for (std::size_t i = 0; i < part.occupancies.size(); ++i) {
        if (part.occupancies[i].station != kNowhere) {
          visit(first_rank_[t] + i % part.ranks, part.occupancies[i], t, i / part.ranks);
        }
      }
    }
  }

  const Program& program_;
  std::vector<LaneRef> lane_;
  std::vector<std::size_t> first_rank_;  // by task
  std::vector<Colour> lanes_;
  std::vector<Colour> ranks_;  // of all tasks
  std::vector<Colour> resources_;
  std::vector<Colour> stations_;
  bool separated_ = false;  // unstable components have been
};

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
  Refinement refinement(program);
  if (!refinement.run()) {
    return std::nullopt;
  }
  const Classes lanes = refinement.lanes();
  const Classes ranks = refinement.ranks();
  const Classes resources = refinement.resources();
  const Classes stations = refinement.stations();

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
