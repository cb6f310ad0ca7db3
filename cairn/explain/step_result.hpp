// What a training step's timeline means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/explain/bound.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/explain/step_energy.hpp"
#include "cairn/explain/step_record.hpp"
#include "cairn/explain/system.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// Where the time of a step goes. The first three are what each would take alone; the rest, together
// with compute, makes up the step.
struct Breakdown {
  Seconds compute{0.0};
  Seconds communication{0.0};
  Seconds memory{0.0};
  Seconds communication_exposed{0.0};  // kernels wait for collectives
  Seconds memory_exposed{0.0};         // kernels wait for transfers, or share memory with them
  Seconds idle{0.0};
  Seconds issue{0.0};       // of that: for the host to issue a kernel (memory::Dispatch)
  Seconds background{0.0};  // of that: for kernels in the background
};

struct ResourceUse {
  std::string name{};
  std::uint32_t members = 1;
  BytesPerSecond bandwidth{};  // of one member
  Bytes carried{0.0};          // by one member
  double busy = 0.0;           // part of the step that this would take at full bandwidth
  ResourceKind kind = ResourceKind::kLink;
};

// Collectives of a step that are the same.
struct CollectiveUse {
  comm::Op op{};
  Bytes size{0.0};
  std::string algorithm{};
  std::string protocol{};  // empty: the platform has none for it
  std::uint32_t times = 0;
};

// What runs beside the kernels of a device, and on what of it.
struct BackgroundUse {
  double cores = 0.0;
  BytesPerSecond bandwidth{};
  std::vector<std::string> what{};  // kernels and exchanges, in the order of the plan
  Seconds time{0.0};                // of the kernels of a step, alone
  Bytes memory{0.0};                // that they read and write
};

struct MemoryPoint {
  SimTime at;
  Bytes in_use{0.0};
};

struct StepResult {
  std::string model{};
  std::string device{};
  std::string platform{};
  std::string strategy{};
  std::uint32_t devices = 1;           // that take part
  std::uint32_t platform_devices = 1;  // that there are
  std::vector<std::string> cuts{};     // the first layer of each pipeline stage but the first
  comm::Endpoint endpoint{};           // of collectives
  double batch = 0.0;                  // of all devices
  std::uint32_t steps = 1;             // in a row; what follows is of one, on average
  Seconds step_time{0.0};
  Breakdown breakdown{};
  std::uint32_t breakdown_stage = 0;  // of whose devices it is: those that have most to compute
  std::string bound_by{};             // in words
  BoundKind bound_by_kind = BoundKind::kNothing;
  std::string bound_by_resource{};  // empty: none
  double utilization = 0.0;  // multiply-accumulates of the model over those the devices could do
  double macs = 0.0;         // of the model, all devices
  ErrorBar error_bar{};      // of its kernels
  Bytes peak_memory{0.0};
  Bytes memory_bound{0.0};  // that it would not exceed however long transfers take
  Bytes capacity{0.0};
  Bytes offloaded{0.0};
  Bytes moved{0.0};
  Bytes recomputed{0.0};
  Bytes from_checkpoints{0.0};  // of `recomputed`; the rest: instead of moving it
  Bytes carried{0.0};           // by all links
  // Thermal design power of devices that take part, and of their share of the rest of the platform;
  // 0: the device's is not stated.
  Watts power{0.0};
  std::optional<StepEnergy> spent{};         // nothing: the device does not say what its work takes
  std::optional<chip::Cost> cost{};          // of devices that take part
  std::vector<ResourceUse> resources{};      // busiest first
  std::vector<CollectiveUse> collectives{};  // in the order in which they first come
  std::optional<BackgroundUse> background{};
  std::vector<MemoryPoint> memory{};  // of a device of the class that needs most, all steps
  std::uint32_t memory_class = 0;
  std::string peak_at{};  // the kernel that ran when the peak was reached
  std::vector<ActivityTotal> activities{};
  std::vector<std::uint32_t> class_members{};  // of the classes of devices that were simulated
  std::vector<std::uint32_t> class_stage{};    // by class
  std::uint64_t events = 0;
  StepRecord record{};  // empty unless asked for

  // Of the pipeline.
  [[nodiscard]] std::uint32_t stages() const {
    return class_stage.empty() ? 1 : std::ranges::max(class_stage) + 1;
  }

  // What does not fit.
  [[nodiscard]] Bytes overflow() const { return std::max(peak_memory - capacity, Bytes(0.0)); }

  // Of a step: what it spent, or else as if everything drew its design power all the time.
  [[nodiscard]] Joules energy() const { return spent ? spent->total() : power * step_time; }

  [[nodiscard]] Watts average_power() const { return energy() / step_time; }

  // Performance per watt, on average.
  [[nodiscard]] double samples_per_joule() const { return batch / energy().si(); }
};

// How much of a step is explained.
enum class Detail : std::uint8_t {
  kTrial,   // what designs are compared by: no error bar, and nothing that is alone or by activity
  kResult,  // everything but the record
  kRecord,  // every span and operator: StepResult::record
};

StepResult explain_step(const lower::LoweredStep& step,
                        const sim::Timeline& timeline,
                        const System& system,
                        Detail detail);

}  // namespace cairn::explain
