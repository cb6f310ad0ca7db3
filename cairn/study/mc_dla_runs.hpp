// Evaluates the cases of the MC-DLA study.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/study/mc_dla_systems.hpp"

namespace cairn::study {

struct Case {
  std::size_t workload = 0;  // index in kWorkloads
  plan::Parallelism parallelism = plan::Parallelism::kData;
  double batch = 0.0;  // 0: as in the assumptions
  std::uint32_t devices = 8;
};

// One kind of device under one set of assumptions.
class Runs {
 public:
  Runs(const McDlaAssumptions& assumptions, const chip::Device& device);

  // The study compares all of its cases, so an infeasible one throws ConfigError at the
  // assumptions.
  explain::StepResult run(const Case& which, const Design& system);
  std::vector<explain::StepResult> run(std::span<const Case> cases, const Design& system);

  [[nodiscard]] const McDlaAssumptions& assumptions() const { return assumptions_; }

  [[nodiscard]] const chip::Device& device() const { return device_; }

  // The plan of the case, which is the same on every system.
  std::shared_ptr<const plan::Plan> plan(const Case& which);

  [[nodiscard]] EvaluationCache& cache() { return cache_; }

 private:
  // The system with the model and strategy of the case.
  [[nodiscard]] Design design_of(const Case& which, const Design& system) const;
  // `system`: its name; empty if the case is infeasible on all.
  [[noreturn]] void refuse(const Case& which,
                           const std::string& system,
                           const Infeasible& reason) const;

  McDlaAssumptions assumptions_;
  chip::Device device_;
  EvaluationCache cache_{};
};

// The 16 cases of the paper: eight workloads, data- and model-parallel.
std::vector<Case> paper_cases(std::uint32_t devices = 8);

}  // namespace cairn::study
