// Cache of intermediate results shared by evaluations of many designs, keyed by their inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "cairn/base/bounded_cache.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/idle_pool.hpp"
#include "cairn/comm/network.hpp"
#include "cairn/design.hpp"
#include "cairn/kernel/cache.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/lower/machine.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn {

// Thread-safe.
class EvaluationCache {
 public:
  // The parallelized training graph, independent of device and platform. Throws ConfigError for a
  // model that cannot be built.
  Feasible<std::shared_ptr<const plan::Plan>> plan(
      const Design& design, plan::MicroBatches micro_batches = plan::MicroBatches::kAll);

  // Kernel costs on a device.
  std::shared_ptr<kernel::Cache> kernels(const chip::Device& device);

  // The design's platform with its routes and realized collectives, for the calling thread.
  std::shared_ptr<comm::Network> network(const Design& design);

  using ScheduleOrNotRepeated = plan::OrNotRepeated<std::shared_ptr<const memory::Schedule>>;

  // The memory schedule of one device, cached if it is the same on every device. Infeasible if the
  // policy or the capacity is violated. `plan`, `costs`, `machine`: those of the design.
  Feasible<ScheduleOrNotRepeated> schedule(const std::shared_ptr<const plan::Plan>& plan,
                                           std::span<const kernel::Cost> costs,
                                           const lower::Machine& machine,
                                           const Design& design);

 private:
  struct GraphKey {
    model::ModelSource model{};
    double samples = 0.0;

    bool operator==(const GraphKey&) const = default;
  };

  struct PlanKey {
    std::shared_ptr<const model::Graph> forward{};
    model::Training training{};
    plan::Strategy strategy{};
    std::uint32_t devices = 0;
    plan::MicroBatches micro_batches{};

    bool operator==(const PlanKey&) const = default;
  };

  struct ScheduleKey {
    std::shared_ptr<const plan::Plan> plan{};
    memory::Policy policy{};
    memory::LaunchPolicy launch{};

    bool operator==(const ScheduleKey&) const = default;
  };

  // Chips that differ only in their links have the same kernel costs.
  struct KernelKey {
    chip::Device device{};

    bool operator==(const KernelKey& other) const {
      return chip::same_for_kernels(device, other.device);
    }
  };

  using PlanOrReason = Feasible<std::shared_ptr<const plan::Plan>>;

  // Plans and schedules are large; where strategies vary, few are reused.
  BoundedCache<GraphKey, const Feasible<model::Graph>, 64> graphs_{};
  BoundedCache<PlanKey, const PlanOrReason, 8> plans_{};
  BoundedCache<ScheduleKey, const plan::OrNotRepeated<memory::Schedule>, 8> schedules_{};
  BoundedCache<KernelKey, kernel::Cache, 64> kernels_{};
  IdlePool<comm::Network, 16> networks_{};
};

}  // namespace cairn
