// A training step with kernel times given by the test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/lower/step.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

inline constexpr Bytes kElement{2.0};

// A chain of fully connected layers "fc1", "fc2", ..., the gradient of whose input is computed too.
inline model::Graph chain_of(std::uint32_t layers, double batch, double width) {
  model::Net net("chain", batch);
  auto x = net.input_from_below("x", {.samples = batch, .channels = width});
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    x = net.fully_connected("fc" + std::to_string(layer), x, width);
  }
  return with_backward_pass(std::move(net).take());
}

// Every collective with this algorithm, in one chunk unless an engine splits it.
inline comm::CollectivePolicy by(const std::string& algorithm) {
  return {.algorithm = comm::parse_algorithm(algorithm, {}), .chunk_size = Bytes(0.0)};
}

struct Step {
  plan::Plan plan{};
  plan::Placement placement{};
  lower::Machine machine{};
  memory::Schedule schedule{};
  lower::StepProgram program{};
  sim::Timeline timeline{};

  [[nodiscard]] double time() const { return timeline.end.since(SimTime{}).si(); }

  // Events are rounded up to a picosecond each.
  [[nodiscard]] double rounding() const { return 1e-12 * static_cast<double>(timeline.events); }

  // Start of an operator's first kernel.
  [[nodiscard]] double begin_of(const std::string& name, model::Pass pass) const {
    SimTime first = SimTime::never();
    for (std::size_t t = 0; t < timeline.tasks.size(); ++t) {
      const auto& action = schedule.actions[program.origin[t].action.index()];
      const bool same = action.computes() && plan.graph.operators[action.subject].name == name &&
                        plan.graph.operators[action.subject].pass == pass;
      first = same ? std::min(first, timeline.tasks[t].started) : first;
    }
    return first.since(SimTime{}).si();
  }
};

// `time_of(operator)`: time of its kernel on a device. Kernels use no memory bandwidth.
template <class TimeOf>
Step run_step(const model::Graph& graph,
              const plan::Strategy& strategy,
              const platform::Platform& platform,
              const TimeOf& time_of,
              const lower::MachineOptions& options = {},
              const memory::LaunchPolicy& launch = {}) {
  chip::Device device;
  device.memory = {.capacity = Bytes::infinity(), .bandwidth = BytesPerSecond(1e18)};
  Step step;
  step.plan = parallelize(graph, strategy, *make_mesh(strategy, platform.device_count())).value();
  platform::Router router(platform);
  comm::Realizer realizer(router, options.endpoint, options.collectives);
  step.placement = place(step.plan, strategy, realizer).value();
  std::vector<kernel::Cost> costs;
  for (const model::Operator& op : step.plan.graph.operators) {
    costs.push_back({.time = time_of(op)});
  }
  step.machine = lower::make_machine(realizer,
                                     device,
                                     step.plan.mesh,
                                     step.placement,
                                     lower::collectives_of(step.plan),
                                     options)
                     .value();
  step.schedule = memory::schedule(step.plan, costs, {}, {}, launch).value();
  step.program = lower::lower_schedule(step.plan, step.schedule, costs, step.machine);
  step.timeline = sim::simulate(step.program.program);
  return step;
}

}  // namespace cairn
