#include "cairn/sim/collapse.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::sim {

namespace {

std::span<Lane> lanes_of(PhaseProgram& phases, const Phase& phase) {
  return {phases.lanes.data() + phase.first_lane, phases.lanes.data() + phase.end_lane};
}

// The parts of one collective that go through phase `index` side by side.
struct Abreast {
  std::vector<PhaseProgram*> parts;
  std::size_t index;
};

// Calls visit(draw, bytes) for everything that one step of the phase draws.
template <class Visit>
void for_each_draw(const Program& program, const Abreast& abreast, Visit visit) {
  for (PhaseProgram* part : abreast.parts) {
    for (const Lane& lane : lanes_of(*part, part->phases[abreast.index])) {
      for (const Draw& draw : program.demands[lane.demand.index()].draws) {
        visit(draw, lane.work * part->chunk_size);
      }
    }
  }
}

// All lanes of a phase move together, so resource r is busy for  load(r) / capacity(r)  in each
// step, and a lane needs as long as the slowest resource it draws on.
void collapse_lane(Program& program, Lane& lane, double bytes, const std::vector<double>& load) {
  Demand demand = program.demands[lane.demand.index()];
  double seconds = bytes / demand.speed_limit;
  for (const Draw& draw : demand.draws) {
    const std::size_t r = draw.resource.index();
    seconds = std::max(seconds, load[r] / program.resources[r].capacity);
  }
  lane.step_latency = demand.latency;
  lane.step_rate = seconds > 0.0 ? bytes / seconds : std::numeric_limits<double>::infinity();
  demand.latency = Seconds(0.0);
  lane.demand = program.add(std::move(demand));
}

// `load` is all zero on entry and exit.
void collapse_phase(Program& program, const Abreast& abreast, std::vector<double>& load) {
  for_each_draw(program, abreast, [&](const Draw& draw, double bytes) {
    load[draw.resource.index()] += bytes * draw.amount * draw.count;
  });
  for (PhaseProgram* part : abreast.parts) {
    Phase& phase = part->phases[abreast.index];
    if (phase.steps > 1) {
      for (Lane& lane : lanes_of(*part, phase)) {
        collapse_lane(program, lane, lane.work * part->chunk_size, load);
      }
      phase.collapsed = true;
    }
  }
  for_each_draw(program, abreast, [&](const Draw& draw, double /*bytes*/) {
    load[draw.resource.index()] = 0.0;
  });
}

}  // namespace

void collapse_steps(Program& program) {
  std::vector<std::vector<PhaseProgram*>> parts_of(program.issuers.size());
  for (Task& task : program.tasks) {
    if (auto* phases = std::get_if<PhaseProgram>(&task.what)) {
      parts_of[phases->issuer.index()].push_back(phases);
    }
  }
  std::vector<double> load(program.resources.size(), 0.0);
  for (std::vector<PhaseProgram*>& parts : parts_of) {
    for (std::size_t p = 0; !parts.empty(); ++p) {
      std::erase_if(parts, [p](const PhaseProgram* part) { return part->phases.size() <= p; });
      collapse_phase(program, {parts, p}, load);
    }
  }
}

}  // namespace cairn::sim
