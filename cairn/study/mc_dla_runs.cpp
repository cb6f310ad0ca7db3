#include "cairn/study/mc_dla_runs.hpp"

#include <fmt/format.h>

#include "cairn/base/failure.hpp"
#include "cairn/lower/step.hpp"

namespace cairn::study {

namespace {

// "data-parallel VGG-E on 8 devices of DC-DLA"
std::string to_text(const Case& which, const std::string& system) {
  return fmt::format("{}-parallel {} on {} device{}{}{}",
                     enum_name(which.parallelism),
                     kWorkloads[which.workload].name,
                     which.devices,
                     which.devices == 1 ? "" : "s",
                     system.empty() ? "" : " of ",
                     system);
}

}  // namespace

Runs::Runs(const McDlaAssumptions& assumptions, const chip::Device& device)
    : assumptions_(assumptions), kernels_(device) {}

const Workload& Runs::workload(const Case& which) {
  const double batch = which.batch == 0.0 ? assumptions_.batch : which.batch;
  const Key key(which.workload, which.parallelism, batch, which.devices);
  if (const auto found = workloads_.find(key); found != workloads_.end()) {
    return found->second;
  }
  plan::Strategy strategy = make_strategy(which.parallelism, assumptions_);
  strategy.batch = batch;
  const model::Graph graph =
      build_workload(which.workload, plan::total_batch(strategy, which.devices), assumptions_);
  auto work = make_workload(graph, strategy, which.devices, kernels_);
  if (!work) {
    refuse(which, "", work.reason());
  }
  return workloads_.emplace(key, std::move(work).value()).first->second;
}

explain::StepResult Runs::run(const Case& which, const Design& system) {
  return std::move(run(std::span(&which, 1), system).front());
}

std::vector<explain::StepResult> Runs::run(std::span<const Case> cases, const Design& system) {
  // All cases exchange among all devices only, so that one mesh does for all of them.
  const auto mesh = plan::Mesh::along(plan::Axis::kData, cases.front().devices);
  std::vector<lower::CollectiveKey> collectives;
  for (const Case& which : cases) {
    ensure(which.devices == mesh.shards(), "cases that do not fit on one machine");
    const Workload& work = workload(which);
    const auto more = lower::collectives_of(*work.plan, work.element);
    collectives.insert(collectives.end(), more.begin(), more.end());
  }
  platform::Router router(system.platform);
  comm::Realizer realizer(router, system.machine.endpoint, system.machine.collectives);
  const auto machine = lower::make_machine(
      realizer, system.device, mesh, plan::first_devices(mesh), collectives, system.machine);
  if (!machine) {
    refuse(cases.front(), system.name, machine.reason());
  }
  std::vector<explain::StepResult> results;
  for (const Case& which : cases) {
    auto result = evaluate(workload(which), system, *machine);
    if (!result) {
      refuse(which, system.name, result.reason());
    }
    results.push_back(std::move(result).value());
  }
  return results;
}

void Runs::refuse(const Case& which, const std::string& system, const Infeasible& reason) const {
  throw ConfigError(
      assumptions_.where,
      fmt::format("{} is impossible: {}: {}", to_text(which, system), reason.limit, reason.detail));
}

std::vector<Case> paper_cases(std::uint32_t devices) {
  std::vector<Case> cases;
  for (const auto parallelism : {plan::Parallelism::kData, plan::Parallelism::kModel}) {
    for (std::size_t w = 0; w < kWorkloads.size(); ++w) {
      cases.push_back({.workload = w, .parallelism = parallelism, .devices = devices});
    }
  }
  return cases;
}

}  // namespace cairn::study
