// Evaluates the cases of the MC-DLA study, and remembers what repeats: workloads, machines,
// kernels.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/study/mc_dla_systems.hpp"

namespace cairn::study {

struct Case {
  std::size_t workload = 0;  // of kWorkloads
  plan::Parallelism parallelism = plan::Parallelism::kData;
  double batch = 0.0;  // 0: the assumptions'
  std::uint32_t devices = 8;
};

// One kind of device under one set of assumptions.
class Runs {
 public:
  Runs(const McDlaAssumptions& assumptions, const chip::Device& device);

  // The study compares all of its cases, so one that is infeasible throws ConfigError at the
  // assumptions.
  explain::StepResult run(const Case& which, const Design& system);

  // The same for cases with equal numbers of devices, on one machine that does all of them.
  std::vector<explain::StepResult> run(std::span<const Case> cases, const Design& system);

  [[nodiscard]] const McDlaAssumptions& assumptions() const { return assumptions_; }

  [[nodiscard]] const chip::Device& device() const { return kernels_.device(); }

  const Workload& workload(const Case& which);

 private:
  // `system`: its name, if it matters.
  [[noreturn]] void refuse(const Case& which,
                           const std::string& system,
                           const Infeasible& reason) const;

  using Key = std::tuple<std::size_t, plan::Parallelism, double, std::uint32_t>;

  McDlaAssumptions assumptions_;
  kernel::Cache kernels_;
  std::map<Key, Workload> workloads_;
};

// The 16 cases of the paper: eight workloads, data- and model-parallel.
std::vector<Case> paper_cases(std::uint32_t devices = 8);

}  // namespace cairn::study
