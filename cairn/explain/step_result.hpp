// The result of a training step, from its timeline.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/explain/activity_totals.hpp"
#include "cairn/explain/bound.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/explain/step_energy.hpp"
#include "cairn/explain/step_record.hpp"
#include "cairn/explain/system.hpp"
#include "cairn/explain/token_rates.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

// Where the time of a step goes. The first three are the times alone, without overlap; compute and
// the exposed and idle times add up to the step.
struct Breakdown {
  Seconds compute{0.0};
  Seconds communication{0.0};
  Seconds memory{0.0};
  Seconds communication_exposed{0.0};  // kernels wait for collectives
  Seconds memory_exposed{0.0};         // kernels wait for transfers, or share memory with them
  Seconds idle{0.0};
  Seconds issue{0.0};       // part of idle: waiting for the host's launch (memory::LaunchPolicy)
  Seconds background{0.0};  // part of idle: waiting for background kernels
};

struct ResourceUse {
  std::string name{};
  std::uint32_t members = 1;
  BytesPerSecond bandwidth{};  // of one member
  Bytes traffic{0.0};          // of one member
  double utilization = 0.0;    // traffic / (bandwidth x step time)
  ResourceKind kind = ResourceKind::kLink;
  std::uint32_t index = 0;  // of the class among those of the simulation
};

// Identical collectives of a step.
struct CollectiveUse {
  comm::Op op{};
  Bytes size{0.0};
  std::string algorithm{};
  std::string protocol{};  // empty: none
  std::uint32_t times = 0;
};

// Background work of a device, and its reserved resources.
struct BackgroundUse {
  double cores = 0.0;
  BytesPerSecond bandwidth{};
  std::vector<std::string> what{};  // kernels and exchanges, in plan order
  Seconds time{0.0};                // of the background kernels of a step, alone
  Bytes memory{0.0};                // their main memory traffic
};

struct MemoryPoint {
  SimTime at;
  Bytes in_use{0.0};
};

// The micro-batches of a step that were simulated.
struct MicroBatchLoop {
  std::uint32_t of = 1;         // micro-batches of the step
  std::uint32_t simulated = 1;  // each by itself; less: one stands for several
  std::string not_repeated{};   // why none stands for several
};

struct StepResult {
  std::string model{};
  std::string device{};
  std::string platform{};
  std::string strategy{};
  std::uint32_t devices = 1;  // participants
  std::uint32_t platform_devices = 1;
  std::vector<std::string> cuts{};  // the first layer of each pipeline stage but the first
  comm::Endpoint endpoint{};        // of collectives
  double batch = 0.0;               // of all devices
  std::uint32_t steps = 1;          // consecutive steps; all below are averages per step
  Seconds step_time{0.0};
  Breakdown breakdown{};
  std::uint32_t breakdown_stage = 0;  // the stage with the most compute
  Bound bound{};
  double utilization = 0.0;  // model FLOPs utilization (MFU)
  double macs = 0.0;         // of the model, all devices
  ErrorBar error_bar{};      // of kernel times
  Bytes peak_memory{0.0};
  Bytes memory_bound{0.0};  // upper bound for any duration of transfers
  Bytes capacity{0.0};
  Bytes offloaded{0.0};
  Bytes moved{0.0};
  Bytes recomputed{0.0};
  Bytes from_checkpoints{0.0};  // of `recomputed`; the rest is recomputed instead of offloaded
  Bytes traffic{0.0};           // of all links
  // Thermal design power of participating devices and their share of the rest of the platform; 0:
  // the device states none.
  Watts power{0.0};
  std::optional<StepEnergy> work_energy{};   // absent: the device states no energies
  std::optional<chip::Cost> cost{};          // of participating devices
  std::vector<ResourceUse> resources{};      // busiest first
  std::vector<CollectiveUse> collectives{};  // in order of first use
  std::optional<BackgroundUse> background{};
  // Of a device of the class with the highest peak, all steps; empty unless asked for.
  std::vector<MemoryPoint> memory{};
  std::uint32_t memory_class = 0;
  std::string peak_at{};             // kernel at the peak
  std::vector<MemoryPoint> peaks{};  // by class: its peak, when it is first reached
  std::vector<ActivityTotal> activities{};
  std::vector<std::uint32_t> class_members{};  // of the simulated classes of devices
  std::vector<std::uint32_t> class_stage{};    // by class
  MicroBatchLoop micro_batches{};
  std::optional<TokenRates> tokens{};  // of a language model
  std::uint64_t events = 0;
  StepRecord record{};  // empty unless asked for

  // Number of pipeline stages.
  [[nodiscard]] std::uint32_t stages() const {
    return class_stage.empty() ? 1 : std::ranges::max(class_stage) + 1;
  }

  // Number of virtual stages of each.
  [[nodiscard]] std::uint32_t virtual_stages() const {
    return static_cast<std::uint32_t>(cuts.size() + 1) / stages();
  }

  // Peak memory above the capacity.
  [[nodiscard]] Bytes overflow() const { return std::max(peak_memory - capacity, Bytes(0.0)); }

  // Energy of a step: of its work, or else assuming design power throughout.
  [[nodiscard]] Joules energy() const {
    return work_energy ? work_energy->total() : power * step_time;
  }

  [[nodiscard]] Watts average_power() const { return energy() / step_time; }

  // Performance per watt, on average.
  [[nodiscard]] double samples_per_joule() const { return batch / energy().si(); }
};

// The largest part of the breakdown, with its cause or resource.
Bound bound_by(const StepResult& result);

// The level of detail of a result.
enum class Detail : std::uint8_t {
  kTrial,   // metrics for search: no error bar, no times alone, no activities
  kResult,  // everything but the record
  kRecord,  // with every span and operator: StepResult::record
};

StepResult explain_step(const lower::LoweredStep& step,
                        const sim::Timeline& timeline,
                        const System& system,
                        Detail detail);

}  // namespace cairn::explain
