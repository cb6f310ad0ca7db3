#include "cairn/study/mc_dla_runs.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::study {

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
  return workloads_.emplace(key, make_workload(graph, strategy, which.devices, kernels_))
      .first->second;
}

explain::StepResult Runs::run(const Case& which, const Design& system) {
  const Workload& work = workload(which);
  const auto machine = make_machine(work, system);
  if (!machine) {
    throw Bug("a case of the study cannot be lowered: " + machine.reason().detail);
  }
  auto result = evaluate(work, system, *machine);
  if (!result) {
    throw Bug("a case of the study does not fit: " + result.reason().detail);
  }
  return std::move(result).value();
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
