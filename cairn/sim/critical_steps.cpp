#include "cairn/sim/critical_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cairn::sim {

namespace {

constexpr double kTie = 1e-9;  // relative difference below which two times are the same

bool at_least(double a, double b) {
  return a >= b * (1.0 - kTie);
}

bool same(double a, double b) {
  return at_least(a, b) && at_least(b, a);
}

// One lane in one phase of one chunk.
struct Step {
  const Lane* lane;
  std::size_t part;
  const Demand* demand;
  double bytes;
  double seconds;  // t_i

  [[nodiscard]] double latency() const { return demand->latency.si(); }
};

// Draw of the critical lanes on a resource; `equal` if all have the latency and bytes of the first.
struct CriticalUse {
  double load = 0.0;
  double latency = 0.0;
  double bytes = 0.0;
  bool equal = true;
};

class CriticalLanes {
 public:
  CriticalLanes(const Program& program,
                const GuaranteedRate& guaranteed,
                std::span<const PhaseProgram* const> parts)
      : program_(program), guaranteed_(guaranteed), parts_(parts), use_(program.resources.size()) {
    for (const PhaseProgram* part : parts) {
      late_.emplace_back(part->ranks, true);
    }
  }

  // Takes a chunk through all phases; false if one has no critical lane. Then `late_` marks the
  // ranks that finish the chunk at the latest possible moment.
  bool pass(std::uint32_t chunk) {
    for (std::size_t p = 0; p < parts_.front()->phases.size(); ++p) {
      find_steps(p, chunk);
      while (drop_uncertain()) {
      }
      if (steps_.empty()) {
        return false;
      }
      for (std::vector<bool>& ranks : late_) {
        ranks.assign(ranks.size(), false);
      }
      for (const Step& step : steps_) {
        late_[step.part][step.lane->from] = true;
        late_[step.part][step.lane->to] = true;
      }
    }
    return true;
  }

  [[nodiscard]] const std::vector<std::vector<bool>>& late() const { return late_; }

 private:
  // The slowest lanes of the phase that start as late as possible.
  void find_steps(std::size_t p, std::uint32_t chunk) {
    steps_.clear();
    double slowest = 0.0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const PhaseProgram& part = *parts_[i];
      const double chunk_bytes = part.chunk_bytes(chunk);
      for (std::uint32_t l = part.phases[p].first_lane; l < part.phases[p].end_lane; ++l) {
        const Lane& lane = part.lanes[l];
        const Demand& demand = program_.demands[lane.demand.index()];
        const double bytes = lane.work * chunk_bytes;
        const double seconds = demand.latency.si() + bytes * guaranteed_.seconds_per_byte(demand);
        slowest = std::max(slowest, seconds);
        if (at_least(seconds, slowest) && (late_[i][lane.from] || late_[i][lane.to])) {
          steps_.push_back({&lane, i, &demand, bytes, seconds});
        }
      }
    }
    std::erase_if(steps_, [&](const Step& step) { return !at_least(step.seconds, slowest); });
  }

  // Drops steps that might be shorter, because no resource that limits them has only critical
  // lanes; returns whether there were any.
  bool drop_uncertain() {
    for (const Step& step : steps_) {
      for (const Draw& draw : step.demand->draws) {
        CriticalUse& use = use_[draw.resource.index()];
        if (use.load == 0.0) {
          use.latency = step.latency();
          use.bytes = step.bytes;
        }
        use.equal = use.equal && same(use.latency, step.latency()) && same(use.bytes, step.bytes);
        use.load += draw.amount * draw.count;
      }
    }
    dropped_.clear();
    std::erase_if(steps_, [this](const Step& step) {
      if (certain(step)) {
        return false;
      }
      dropped_.push_back(step);
      return true;
    });
    clear_use(steps_);
    clear_use(dropped_);
    return !dropped_.empty();
  }

  [[nodiscard]] bool certain(const Step& step) const {
    const double limit = guaranteed_.seconds_per_byte(*step.demand);
    return step.bytes * limit <= kTie * step.seconds ||
           at_least(1.0 / step.demand->speed_limit, limit) ||
           std::ranges::any_of(step.demand->draws, [&](const Draw& draw) {
             const CriticalUse& use = use_[draw.resource.index()];
             return use.equal && at_least(guaranteed_.seconds_per_byte(draw.resource), limit) &&
                    at_least(use.load, guaranteed_.max_drawn(draw.resource));
           });
  }

  void clear_use(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      for (const Draw& draw : step.demand->draws) {
        use_[draw.resource.index()] = {};
      }
    }
  }

  const Program& program_;
  const GuaranteedRate& guaranteed_;
  std::span<const PhaseProgram* const> parts_;
  std::vector<CriticalUse> use_;         // by resource; cleared between calls
  std::vector<std::vector<bool>> late_;  // by part and rank
  std::vector<Step> steps_;
  std::vector<Step> dropped_;
};

bool chunks_overlap(const PhaseProgram& part) {
  return std::min(part.window, part.chunks()) > 1;
}

bool holds_something(const Program& program, const PhaseProgram& part) {
  return !part.occupancies.empty() || std::ranges::any_of(part.lanes, [&](const Lane& lane) {
    return !program.demands[lane.demand.index()].holds.empty();
  });
}

bool same_steps(const PhaseProgram& a, const PhaseProgram& b) {
  return a.chunks() == b.chunks() &&
         std::ranges::equal(a.phases, b.phases, {}, &Phase::steps, &Phase::steps);
}

}  // namespace

bool steps_are_critical(const Program& program,
                        const GuaranteedRate& guaranteed,
                        std::span<const PhaseProgram* const> parts) {
  const PhaseProgram& first = *parts.front();
  for (const PhaseProgram* part : parts) {
    if (chunks_overlap(*part) || holds_something(program, *part) || !same_steps(first, *part)) {
      return false;
    }
  }
  CriticalLanes lanes(program, guaranteed, parts);
  const std::uint32_t last = first.chunks() - 1;
  for (std::uint32_t chunk = 0; chunk < last; ++chunk) {
    const std::vector<std::vector<bool>> before = lanes.late();
    if (!lanes.pass(chunk)) {
      return false;
    }
    if (lanes.late() == before) {
      break;  // further chunks of the same size behave the same
    }
  }
  return lanes.pass(last);
}

}  // namespace cairn::sim
