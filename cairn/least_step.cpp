#include "cairn/least_step.hpp"

#include <algorithm>
#include <vector>

#include "cairn/comm/lower_bound.hpp"

namespace cairn {

namespace {

// The event clock rounds up, kernel by kernel; sums of doubles round either way.
constexpr double kBelowRounding = 1.0 - 1e-9;

std::vector<Seconds> kernels_by_stage(const plan::Plan& plan, std::span<const kernel::Cost> costs) {
  std::vector<Seconds> times(plan.mesh.stages());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!plan.graph.operators[i].background) {
      times[plan.operator_stage[i]] += costs[i].time * plan.times(plan.operator_pass[i]);
    }
  }
  return times;
}

// Bytes sent per device, on average.
std::vector<Bytes> sent_by_stage(const plan::Plan& plan) {
  std::vector<Bytes> sent(plan.mesh.stages());
  for (const plan::Exchange& exchange : plan.exchanges) {
    if (exchange.contention_free) {
      continue;
    }
    const double group = plan.mesh.group_size(exchange.axes);
    const double per_device =
        exchange.between_stages() ? 1.0 : comm::min_sent(exchange.op, group) / group;
    sent[exchange.stage] +=
        plan.element() * (exchange.elements * per_device * plan.times(exchange.pass));
  }
  return sent;
}

}  // namespace

Seconds least_step_time(const plan::Plan& plan,
                        std::span<const kernel::Cost> costs,
                        const Design& design) {
  if (design.launch.sequence.steps > 1) {
    return Seconds(0.0);
  }
  const Seconds kernels = std::ranges::max(kernels_by_stage(plan, costs)) / design.launch.at_once;
  if (!design.machine.contention) {
    return kernels * kBelowRounding;
  }
  const Bytes sent = std::ranges::max(sent_by_stage(plan));
  const Seconds exchanges =
      sent > Bytes(0.0) ? sent / comm::max_sent(design.platform) : Seconds(0.0);
  return std::max(kernels, exchanges) * kBelowRounding;
}

}  // namespace cairn
