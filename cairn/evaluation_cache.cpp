#include "cairn/evaluation_cache.hpp"

#include "cairn/model/backward.hpp"
#include "cairn/plan/check_training.hpp"

namespace cairn {

namespace {

Feasible<std::shared_ptr<const plan::Plan>> make_plan(const model::Graph& forward,
                                                      const Design& design,
                                                      plan::MicroBatches micro_batches) {
  const auto mesh = plan::make_mesh(design.strategy, design.devices());
  if (!mesh) {
    return mesh.reason();
  }
  if (auto uneven = plan::check_batch(design.strategy, *mesh)) {
    return *std::move(uneven);
  }
  if (auto untrainable = plan::check_training(forward, design.training, design.strategy)) {
    return *std::move(untrainable);
  }
  auto plan = plan::parallelize(
      model::with_backward_pass(forward, design.training), design.strategy, *mesh, micro_batches);
  if (!plan) {
    return plan.reason();
  }
  return std::make_shared<const plan::Plan>(std::move(plan).value());
}

}  // namespace

Feasible<std::shared_ptr<const plan::Plan>> EvaluationCache::plan(
    const Design& design, plan::MicroBatches micro_batches) {
  const double samples = plan::micro_batch(design.strategy, design.devices());
  const auto built = graphs_.get({design.model, samples},
                                 [&] { return model::build_model(design.model, samples); });
  if (!*built) {
    return built->reason();
  }
  const std::shared_ptr<const model::Graph> forward(built, &built->value());
  if (design.strategy.micro_batches <= plan::kDistinctMicroBatches) {
    micro_batches = plan::MicroBatches::kAll;  // the same plan
  }
  return *plans_.get({forward, design.training, design.strategy, design.devices(), micro_batches},
                     [&] { return make_plan(*forward, design, micro_batches); });
}

std::shared_ptr<kernel::Cache> EvaluationCache::kernels(const chip::Device& device) {
  return kernels_.get({device}, [&] { return device; });
}

std::shared_ptr<comm::Network> EvaluationCache::network(const Design& design) {
  const comm::Endpoint& endpoint = design.machine.endpoint;
  const comm::CollectivePolicy& policy = design.machine.collectives;
  const bool fold = design.machine.fold;
  return networks_.take(
      [&](const comm::Network& idle) {
        return idle.is_for(design.platform, endpoint, policy, fold);
      },
      [&] {
        auto platform = std::make_shared<const platform::Platform>(design.platform);
        return std::make_unique<comm::Network>(std::move(platform), endpoint, policy, fold);
      });
}

Feasible<EvaluationCache::ScheduleOrNotRepeated> EvaluationCache::schedule(
    const std::shared_ptr<const plan::Plan>& plan,
    std::span<const kernel::Cost> costs,
    const lower::Machine& machine,
    const Design& design) {
  if (auto reason =
          memory::check_policy(*plan, design.memory, machine.has_store, design.platform.name)) {
    return *std::move(reason);
  }
  const memory::Limits limits{.capacity = design.device.memory.capacity,
                              .store = machine.store_capacity,
                              .store_bandwidth = machine.store_bandwidth};
  if (design.memory.same_on_every_device()) {
    auto schedule = schedules_.get({plan, design.memory, design.launch}, [&] {
      return memory::schedule_on_every_device(*plan, design.memory, design.launch);
    });
    if (!schedule->repeats()) {
      return ScheduleOrNotRepeated(schedule->reason());
    }
    const memory::Schedule& made = schedule->value();
    if (auto reason = memory::check_capacity(*plan, made, design.memory, limits)) {
      return *std::move(reason);
    }
    return ScheduleOrNotRepeated(std::shared_ptr<const memory::Schedule>(schedule, &made));
  }
  auto schedule = memory::schedule(*plan, costs, design.memory, limits, design.launch);
  if (!schedule) {
    return schedule.reason();
  }
  return ScheduleOrNotRepeated(
      std::make_shared<const memory::Schedule>(std::move(schedule).value()));
}

}  // namespace cairn
