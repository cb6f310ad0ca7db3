#include "cairn/evaluate_step.hpp"

#include <utility>
#include <vector>

#include "cairn/kernel/cache.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

namespace {

std::vector<kernel::Cost> costs_of(const model::Graph& graph,
                                   const chip::Device& device,
                                   Bytes element) {
  kernel::Cache cache(device);
  std::vector<kernel::Cost> costs;
  costs.reserve(graph.operators.size());
  for (const model::Operator& op : graph.operators) {
    costs.push_back(cache.cost(kernel::work_of(graph, op, element)));
  }
  return costs;
}

}  // namespace

Feasible<explain::StepResult> evaluate(const Design& design) {
  const std::uint32_t devices =
      design.strategy.devices == 0 ? design.platform.device_count() : design.strategy.devices;
  const Bytes element = plan::element_bytes(design.strategy.precision);
  const double batch = plan::total_batch(design.strategy, devices);

  const model::Graph graph = model::with_backward_pass(model::build_model(design.model, batch));
  const plan::Plan plan = plan::parallelize(graph, design.strategy, devices);
  const std::vector<kernel::Cost> costs = costs_of(plan.graph, design.device, element);

  lower::MachineOptions options = design.machine;
  options.devices = devices;
  const auto machine = lower::make_machine(
      design.platform, design.device, lower::collectives_of(plan, element), options);
  if (!machine) {
    return machine.reason();
  }
  if (design.memory.overlay != memory::Overlay::kNone && !machine->has_store) {
    return Infeasible{"backing store",
                      design.platform.name +
                          " has neither memory-nodes beside its devices nor a "
                          "host socket to move feature maps to"};
  }
  const auto schedule = memory::schedule(plan,
                                         costs,
                                         element,
                                         design.memory,
                                         {.capacity = design.device.memory.capacity,
                                          .store = machine->store_capacity,
                                          .store_bandwidth = machine->store_bandwidth});
  if (!schedule) {
    return schedule.reason();
  }
  const lower::StepProgram program = lower::lower_step(plan, *schedule, costs, element, *machine);
  const sim::Timeline timeline = sim::simulate(program.program);

  explain::StepResult result{.model = graph.name,
                             .device = design.device.name,
                             .platform = design.platform.name,
                             .strategy = enum_name(design.strategy.parallelism),
                             .devices = devices,
                             .batch = batch,
                             .capacity = design.device.memory.capacity};
  explain::explain_step(plan, *schedule, costs, *machine, program, timeline, element, result);
  result.utilization =
      result.macs / (design.device.array.macs_per_second() * devices * result.step_time.si());
  return result;
}

}  // namespace cairn
