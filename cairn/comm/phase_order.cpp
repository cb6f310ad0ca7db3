#include "cairn/comm/phase_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <variant>

namespace cairn::comm {

namespace {

constexpr double kTie = 1e-9;  // relative difference below which two times are the same
constexpr auto kNoPhase = static_cast<std::size_t>(-1);

// Phases of all tasks; those that share a resource are in one group (union-find).
class Groups {
 public:
  explicit Groups(std::size_t resources) : user_(resources, kNoPhase), seconds_(resources, 0.0) {}

  void add_phase() { joined_.push_back(joined_.size()); }

  // The phase added last uses the resource for `seconds`.
  void uses(Id<sim::Resource> resource, double seconds) {
    std::size_t& other = user_[resource.index()];
    other = other == kNoPhase ? joined_.size() - 1 : other;
    const auto [low, high] = std::minmax({first_of(joined_.size() - 1), first_of(other)});
    joined_[high] = low;
    seconds_[resource.index()] += seconds;
  }

  // By phase; 0 has the highest priority.
  [[nodiscard]] std::vector<std::uint32_t> places() const {
    std::vector<double> longest(joined_.size(), 0.0);  // by first phase of a group
    for (std::size_t r = 0; r < user_.size(); ++r) {
      if (user_[r] != kNoPhase) {
        double& most = longest[first_of(user_[r])];
        most = std::max(most, seconds_[r]);
      }
    }
    std::vector<std::uint32_t> result(joined_.size());
    for (std::size_t p = 0; p < joined_.size(); ++p) {
      result[p] = place_of(longest[first_of(p)], longest);
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t first_of(std::size_t phase) const {
    while (joined_[phase] != phase) {
      phase = joined_[phase];
    }
    return phase;
  }

  // The number of distinct longer times.
  static std::uint32_t place_of(double seconds, std::vector<double> all) {
    std::ranges::sort(all, std::greater<>{});
    std::uint32_t place = 0;
    double last = std::numeric_limits<double>::infinity();
    for (const double other : all) {
      if (other <= seconds * (1.0 + kTie)) {
        break;
      }
      place += other < last * (1.0 - kTie) ? 1U : 0U;
      last = other;
    }
    return place;
  }

  std::vector<std::size_t> user_;    // by resource: the first phase that draws on it
  std::vector<double> seconds_;      // by resource
  std::vector<std::size_t> joined_;  // by phase: parent in its group; the first: itself
};

sim::PhaseProgram& part_of(CollectiveProgram& program, std::size_t task) {
  return std::get<sim::PhaseProgram>(program.program.tasks[task].what);
}

void add_phases(const CollectiveProgram& program, const sim::PhaseProgram& part, Groups& groups) {
  for (const sim::Phase& phase : part.phases) {
    groups.add_phase();
    for (std::uint32_t l = phase.first_lane; l < phase.end_lane; ++l) {
      const sim::Lane& lane = part.lanes[l];
      for (const sim::Draw& draw : program.program.demands[lane.demand.index()].draws) {
        if (program.traffic[draw.resource.index()].kind != ResourceKind::kEndpoint) {
          groups.uses(draw.resource,
                      part.payload * lane.work * phase.steps * draw.amount * draw.count /
                          program.program.resources[draw.resource.index()].capacity);
        }
      }
    }
  }
}

}  // namespace

void order_phases(CollectiveProgram& program, std::size_t first_task) {
  const std::size_t tasks = program.program.tasks.size();
  Groups groups(program.program.resources.size());
  for (std::size_t t = first_task; t < tasks; ++t) {
    const sim::PhaseProgram& part = part_of(program, t);
    if (std::min(part.window, part.chunks()) <= 1) {
      return;
    }
    add_phases(program, part, groups);
  }
  const std::vector<std::uint32_t> places = groups.places();
  std::size_t number = 0;
  for (std::size_t t = first_task; t < tasks; ++t) {
    for (sim::Phase& phase : part_of(program, t).phases) {
      phase.place = std::min(places[number++], sim::kPlaces - 1);
    }
  }
}

}  // namespace cairn::comm
