#include "cairn/study/mc_dla_runs.hpp"

#include <fmt/format.h>

#include "cairn/base/failure.hpp"

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
    : assumptions_(assumptions), device_(device) {}

Design Runs::design_of(const Case& which, const Design& system) const {
  Design design = system;
  design.model = workload_model(which.workload, assumptions_);
  design.strategy = make_strategy(which.parallelism, assumptions_);
  design.strategy.devices = which.devices;
  if (which.batch > 0.0) {
    design.strategy.batch = which.batch;
  }
  return design;
}

std::shared_ptr<const plan::Plan> Runs::plan(const Case& which) {
  auto plan = cache_.plan(design_of(which, {.device = device_}));
  if (!plan) {
    refuse(which, "", plan.reason());
  }
  return *plan;
}

explain::StepResult Runs::run(const Case& which, const Design& system) {
  auto result = evaluate(design_of(which, system), cache_);
  if (!result) {
    refuse(which, system.name, result.reason());
  }
  return std::move(result).value();
}

std::vector<explain::StepResult> Runs::run(std::span<const Case> cases, const Design& system) {
  std::vector<explain::StepResult> results;
  for (const Case& which : cases) {
    results.push_back(run(which, system));
  }
  return results;
}

void Runs::refuse(const Case& which, const std::string& system, const Infeasible& reason) const {
  throw ConfigError(
      assumptions_.where,
      fmt::format(
          "{} is infeasible: {}: {}", to_text(which, system), reason.limit(), reason.detail));
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
