#include "cairn/explain/step_energy.hpp"

#include <vector>

#include "cairn/kernel/work.hpp"

namespace cairn::explain {

namespace {

constexpr double kFlopsOfMac = 2.0;

}  // namespace

Bytes traffic_of_links(const lower::LoweredStep& step, const sim::Timeline& timeline) {
  const lower::Machine& machine = step.machine;
  double sum = 0.0;
  const auto add = [&](std::size_t used, std::size_t resource) {
    const comm::Traffic& traffic = machine.traffic[resource];
    sum += timeline.use[used].drawn * traffic.members *
           (traffic.kind == comm::ResourceKind::kLink ? 1.0 : traffic.links_crossed);
  };
  for (std::size_t r = 0; r < machine.traffic.size(); ++r) {
    add(r, r);
  }
  for (const lower::ResourceCopy& copy : step.program.copies) {
    add(copy.copy.index(), copy.original.index());
  }
  return Bytes(sum);
}

chip::DeviceActivity work_done(const lower::LoweredStep& step, std::size_t levels) {
  const plan::Plan& plan = *step.plan;
  const std::vector<kernel::Cost>& costs = step.costs;
  // Devices of a stage, per step.
  const double devices = plan.mesh.shards_of_stage() / static_cast<double>(step.schedule->steps());
  chip::DeviceActivity done{.level_traffic = std::vector<Bytes>(levels)};
  std::vector<double> runs(costs.size(), 0.0);  // by operator
  for (const memory::Action& action : step.schedule->actions) {
    if (action.runs_operator()) {
      runs[action.subject] += devices;
    } else if (action.moves()) {
      done.memory_traffic += action.bytes * devices;
    }
  }
  for (const memory::PassBody& body : step.schedule->bodies) {
    for (const memory::Action& action : body.actions) {
      runs[action.subject] += action.runs_operator() ? devices * plan.repetitions() : 0.0;
    }
  }
  for (std::size_t o = 0; o < costs.size(); ++o) {
    const kernel::Work work = kernel::work_of(plan.graph, plan.graph.operators[o], plan.precision);
    done.work += Flops(kFlopsOfMac * work.macs() + work.vector_ops) * runs[o];
    done.memory_traffic += costs[o].memory * runs[o];
    for (std::size_t i = 0; i < levels; ++i) {
      done.level_traffic[i] += costs[o].levels[i].bytes * runs[o];
    }
  }
  return done;
}

}  // namespace cairn::explain
