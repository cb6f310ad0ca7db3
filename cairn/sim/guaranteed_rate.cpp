#include "cairn/sim/guaranteed_rate.hpp"

#include <algorithm>
#include <tuple>

namespace cairn::sim {

namespace {

// The draw on a resource of the lanes that a rank sends, or receives, in one phase.
struct Drawn {
  std::uint32_t resource;
  std::uint32_t rank;
  std::uint32_t phase;
  double load;
};

// Entries of one part, by sender or by receiver; ranks in lockstep count as one.
std::vector<Drawn> drawn_by(std::uint32_t Lane::* end,
                            const Program& program,
                            const PhaseProgram& part,
                            Progress progress) {
  std::vector<Drawn> result;
  for (std::uint32_t p = 0; p < part.phases.size(); ++p) {
    for (std::uint32_t l = part.phases[p].first_lane; l < part.phases[p].end_lane; ++l) {
      const Lane& lane = part.lanes[l];
      const std::uint32_t rank = progress == Progress::kLockstep ? 0 : lane.*end;
      for (const Draw& draw : program.demands[lane.demand.index()].draws) {
        result.push_back({draw.resource.value, rank, p, draw.amount * draw.count});
      }
    }
  }
  std::ranges::sort(
      result, {}, [](const Drawn& d) { return std::tuple(d.resource, d.rank, d.phase); });
  return result;
}

// Adds up, per resource, each rank's largest phase.
void add_largest_phases(const std::vector<Drawn>& drawn, std::vector<double>& total) {
  double largest = 0.0;
  double phase = 0.0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    phase += drawn[i].load;
    const bool last = i + 1 == drawn.size();
    const bool same_rank =
        !last && drawn[i + 1].resource == drawn[i].resource && drawn[i + 1].rank == drawn[i].rank;
    if (!same_rank || drawn[i + 1].phase != drawn[i].phase) {
      largest = std::max(largest, phase);
      phase = 0.0;
    }
    if (!same_rank) {
      total[drawn[i].resource] += largest;
      largest = 0.0;
    }
  }
}

}  // namespace

GuaranteedRate::GuaranteedRate(const Program& program,
                               std::span<const PhaseProgram* const> parts,
                               Progress progress)
    : program_(&program), max_drawn_(program.resources.size(), 0.0) {
  for (const PhaseProgram* part : parts) {
    std::vector<double> sent(program.resources.size(), 0.0);
    std::vector<double> received(program.resources.size(), 0.0);
    add_largest_phases(drawn_by(&Lane::from, program, *part, progress), sent);
    add_largest_phases(drawn_by(&Lane::to, program, *part, progress), received);
    for (std::size_t r = 0; r < max_drawn_.size(); ++r) {
      max_drawn_[r] += std::min(sent[r], received[r]);
    }
  }
}

double GuaranteedRate::seconds_per_byte(const Demand& demand) const {
  double slowest = 1.0 / demand.speed_limit;
  for (const Draw& draw : demand.draws) {
    slowest = std::max(slowest, seconds_per_byte(draw.resource));
  }
  return slowest;
}

}  // namespace cairn::sim
