// The main path, from a design to what a training step on it takes and why, on one screen. Open
// this first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/design.hpp"
#include "cairn/explain/step_result.hpp"
#include "cairn/kernel/cache.hpp"
#include "cairn/memory/schedule.hpp"

namespace cairn {

struct EvaluateOptions {
  bool record = false;  // keep every span and operator: StepResult::record
};

// Throws ConfigError for a model that cannot be built.
Feasible<explain::StepResult> evaluate(const Design& design, const EvaluateOptions& options = {});

// The parts of it, for those who evaluate many designs with the same workload, or on the same
// machine: what each device does, whichever way devices are joined ...
struct Workload {
  std::string model{};
  std::string strategy{};
  double batch = 0.0;  // of all devices
  double macs = 0.0;   // of the model, of all samples
  chip::Precision precision{};
  Bytes element{};
  std::shared_ptr<const plan::Plan> plan{};
  std::vector<kernel::Cost> costs{};  // by operator of the plan; none: of no device yet
  std::shared_ptr<const memory::Schedule>
      schedule{};  // of the plan; none: made when it is evaluated
};

// ... before it is known on which device. `forward`: of one micro-batch.
Feasible<Workload> plan_workload(const model::Graph& forward,
                                 const plan::Strategy& strategy,
                                 std::uint32_t devices,
                                 const model::Training& training = {});
Feasible<Workload> plan_workload(const Design& design);

// What was made before, of other designs with the same plan, or device.
struct Made {
  const Workload& planned;
  kernel::Cache& kernels;     // of Design::for_kernels
  kernel::Cache& background;  // of Design::for_background
  // Of designs with the same policy, which must be the same on every device; none: not yet.
  std::shared_ptr<const memory::Schedule> schedule{};
};

Feasible<explain::StepResult> evaluate(const Design& design,
                                       const Made& made,
                                       const EvaluateOptions& options = {});

// `background`: for kernels that are there, of the device's part
// that these have; absent: they have all of it too.
Feasible<Workload> make_workload(const model::Graph& forward,
                                 const plan::Strategy& strategy,
                                 std::uint32_t devices,
                                 kernel::Cache& kernels,
                                 const model::Training& training = {},
                                 kernel::Cache* background = nullptr);

// The same of a design. Infeasible also if its device lacks the precision.
Feasible<Workload> make_workload(const Design& design, const Made& made);

// ... and how long that takes on a platform. Takes from the design what is not in the workload.
Feasible<lower::Machine> make_machine(const Workload& workload, const Design& design);
Feasible<explain::StepResult> evaluate(const Workload& workload,
                                       const Design& design,
                                       const lower::Machine& machine,
                                       const EvaluateOptions& options = {});

}  // namespace cairn
