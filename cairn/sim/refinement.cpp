#include "cairn/sim/refinement.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <variant>

#include "cairn/base/cancellation.hpp"
#include "cairn/sim/colour.hpp"

namespace cairn::sim {

namespace {

Classes classes_of(const std::vector<Colour>& colours) {
  Classes classes;
  std::unordered_map<Colour, std::uint32_t> number;
  classes.of.reserve(colours.size());
  for (std::uint32_t member = 0; member < colours.size(); ++member) {
    const auto next = static_cast<std::uint32_t>(classes.first.size());
    const auto [entry, is_new] = number.try_emplace(colours[member], next);
    if (is_new) {
      classes.first.push_back(member);
      classes.size.push_back(0);
    }
    ++classes.size[entry->second];
    classes.of.push_back(entry->second);
  }
  return classes;
}

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

  [[nodiscard]] Partition partition() const {
    return {classes_of(lanes_), classes_of(ranks_), classes_of(resources_), classes_of(stations_)};
  }

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

}  // namespace

std::optional<Partition> find_partition(const Program& program) {
  Refinement refinement(program);
  if (!refinement.run()) {
    return std::nullopt;
  }
  return refinement.partition();
}

}  // namespace cairn::sim
