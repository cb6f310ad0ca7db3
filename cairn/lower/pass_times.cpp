#include "cairn/lower/pass_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::lower {

namespace {

using memory::Action;
using memory::ActionKind;
using plan::NotRepeated;

// By resource of the machine: whether it is drawn on.
using Drawn = std::vector<bool>;

plan::OrNotRepeated<PassTimes> time_pass(const plan::Plan& plan,
                                         const memory::Schedule& schedule,
                                         const memory::PassBody& body,
                                         std::span<const kernel::Cost> costs,
                                         const Machine& machine) {
  const memory::Schedule alone{.actions = body.actions, .launch = schedule.launch};
  const StepProgram lowered = lower_schedule(plan, alone, costs, machine);
  const sim::Timeline timeline = sim::simulate(lowered.program);
  PassTimes times{.end = timeline.end, .events = timeline.events};
  for (std::size_t a = 0; a < body.actions.size(); ++a) {
    sim::TaskTime time = timeline.tasks[lowered.first_task[a]];
    for (std::uint32_t t = lowered.first_task[a]; t < lowered.end_task[a]; ++t) {
      const sim::TaskTime& part = timeline.tasks[t];
      const bool differs = part.started != time.started || part.finished != time.finished;
      if (differs && body.actions[a].computes()) {
        return NotRepeated{"the devices of a stage differ"};
      }
      time.finished = std::max(time.finished, part.finished);
    }
    times.actions.push_back(time);
  }
  for (const std::uint32_t result : body.results) {
    if (times.actions[result].finished != times.end) {
      return NotRepeated{"a pass sends data before it ends"};
    }
  }
  for (std::size_t r = 0; r < machine.program.resources.size(); ++r) {
    times.drawn.push_back(timeline.use[r].drawn);
  }
  return times;
}

// Marks what the exchange draws on.
void mark(const Machine& machine, const CollectiveKey& key, Drawn& drawn) {
  for (const sim::PhaseProgram& part : template_for(machine, key).parts) {
    for (const sim::Lane& lane : part.lanes) {
      for (const sim::Draw& draw : machine.program.demands[lane.demand.index()].draws) {
        drawn[draw.resource.index()] = true;
      }
    }
  }
}

// Whether it runs beside passes of its stage: while one virtual stage reduces its gradients, the
// passes of another may run.
bool runs_beside_passes(const plan::Exchange& exchange, const plan::Plan& plan) {
  const auto kind = plan.graph.tensor(exchange.to.front()).kind;
  return exchange.between_stages() ||
         (plan.pipeline.per_stage > 1 && kind == model::TensorKind::kWeightGradient &&
          !exchange.blocking);
}

// What passes of a stage draw on, and collectives that outlast their pass, by stage; in the last
// entry, what exchanges beside passes do.
std::vector<Drawn> drawn_by_stage(const plan::Plan& plan,
                                  const memory::Schedule& schedule,
                                  std::span<const PassTimes> passes,
                                  const Machine& machine) {
  const std::size_t stages = plan.mesh.stages();
  std::vector<Drawn> drawn(stages + 1, Drawn(machine.program.resources.size(), false));
  for (std::size_t b = 0; b < passes.size(); ++b) {
    for (std::size_t r = 0; r < passes[b].drawn.size(); ++r) {
      if (passes[b].drawn[r] > 0.0) {
        drawn[schedule.bodies[b].stage][r] = true;
      }
    }
  }
  for (const plan::Exchange& exchange : plan.exchanges) {
    if (!exchange.contention_free) {
      mark(machine,
           key_of(exchange, plan),
           drawn[runs_beside_passes(exchange, plan) ? stages : exchange.stage]);
    }
  }
  return drawn;
}

// A pass is alone on what it draws on: on its own stage everything else waits for it.
std::optional<NotRepeated> check_alone(const plan::Plan& plan,
                                       const memory::Schedule& schedule,
                                       std::span<const PassTimes> passes,
                                       const Machine& machine) {
  std::vector<std::uint32_t> users(machine.program.resources.size(), 0);
  const std::vector<Drawn> drawn = drawn_by_stage(plan, schedule, passes, machine);
  for (const Drawn& each : drawn) {
    for (std::size_t r = 0; r < each.size(); ++r) {
      users[r] += each[r] ? 1U : 0U;
    }
  }
  for (const PassTimes& pass : passes) {
    for (std::size_t r = 0; r < users.size(); ++r) {
      if (pass.drawn[r] > 0.0 && users[r] > 1) {
        return NotRepeated{fmt::format(
            "{} is shared by stages, or by transfers or gradient reductions beside their passes",
            machine.program.resources[r].name)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

plan::OrNotRepeated<std::vector<PassTimes>> time_passes(const plan::Plan& plan,
                                                        const memory::Schedule& schedule,
                                                        std::span<const kernel::Cost> costs,
                                                        const Machine& machine) {
  std::vector<PassTimes> passes;
  for (const memory::PassBody& body : schedule.bodies) {
    check_cancelled();
    auto times = time_pass(plan, schedule, body, costs, machine);
    if (!times.repeats()) {
      return times.reason();
    }
    passes.push_back(std::move(times).value());
  }
  if (auto reason = check_alone(plan, schedule, passes, machine)) {
    return *std::move(reason);
  }
  return passes;
}

}  // namespace cairn::lower
