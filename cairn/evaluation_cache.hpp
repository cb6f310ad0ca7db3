// What the evaluations of many designs share, computed once: keyed by what it is computed from.
#pragma once

#include <memory>
#include <utility>

#include "cairn/base/bounded_cache.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/design.hpp"
#include "cairn/kernel/cache.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn {

// Any number of threads may ask.
class EvaluationCache {
 public:
  // How a design's model is spread, whatever device it runs on and however devices are connected.
  // Throws ConfigError for a model that cannot be built.
  Feasible<std::shared_ptr<const plan::Plan>> plan(const Design& design);

  // Costs of kernels on a device.
  std::shared_ptr<kernel::Cache> kernels(const chip::Device& device);

  // The design's schedule, if it is the same on every device (memory::Policy). `plan`: the
  // design's.
  std::shared_ptr<const memory::Schedule> schedule(const std::shared_ptr<const plan::Plan>& plan,
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

    bool operator==(const PlanKey&) const = default;
  };

  struct ScheduleKey {
    std::shared_ptr<const plan::Plan> plan{};
    memory::Policy policy{};
    memory::Dispatch dispatch{};

    bool operator==(const ScheduleKey&) const = default;
  };

  // Chips that differ in their links alone have the same kernels.
  struct KernelKey {
    chip::Device device{};

    bool operator==(const KernelKey& other) const {
      return chip::same_for_kernels(device, other.device);
    }
  };

  using PlanOrReason = Feasible<std::shared_ptr<const plan::Plan>>;

  // Plans and schedules are large; where strategies vary, few are asked for again.
  BoundedCache<GraphKey, const model::Graph, 64> graphs_{};
  BoundedCache<PlanKey, const PlanOrReason, 8> plans_{};
  BoundedCache<ScheduleKey, const memory::Schedule, 8> schedules_{};
  BoundedCache<KernelKey, kernel::Cache, 64> kernels_{};
};

}  // namespace cairn
