// The schedule of one device: kernels, exchanges and transfers in program order, their
// dependencies, and the live range of each piece of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/memory/launch_policy.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::memory {

enum class ActionKind : std::uint8_t {
  kKernel,
  kRecompute,
  kExchange,
  kOffload,
  kPrefetch,
  kBackground,  // a kernel on the resources of LaunchPolicy::background
  kPass,        // all kernels and collectives of a pass that is repeated: PassBody
};

struct Action {
  ActionKind kind = ActionKind::kKernel;
  // In the plan: the operator (kernels, recomputation, background), the exchange, or the tensor
  // whose storage is transferred. For a pass: index in Schedule::bodies.
  std::uint32_t subject = 0;
  std::uint32_t pass = 0;  // index in Plan::passes
  std::uint32_t layer = 0;
  std::uint32_t stage = 0;  // for an exchange between stages, the sender
  Bytes bytes{0.0};         // of transfers
  std::vector<Id<Action>> after{};

  // A kernel that is not in the background.
  [[nodiscard]] bool computes() const {
    return kind == ActionKind::kKernel || kind == ActionKind::kRecompute;
  }

  // Of these, a stage runs one after the other, unless kernels may be concurrent.
  [[nodiscard]] bool takes_turn() const { return computes() || kind == ActionKind::kPass; }

  [[nodiscard]] bool runs_operator() const { return computes() || kind == ActionKind::kBackground; }

  [[nodiscard]] bool moves() const {
    return kind == ActionKind::kOffload || kind == ActionKind::kPrefetch;
  }
};

// Memory in use from the start of action `from` until all of `until` have ended; without `until`,
// to the end of the step.
struct LiveRange {
  Id<model::Tensor> storage{};
  std::uint32_t stage = 0;
  Bytes bytes{0.0};
  std::optional<Id<Action>> from{};  // nothing: from the beginning
  std::vector<Id<Action>> until{};
};

// When the memory in use changes during a pass.
enum class ChangeAt : std::uint8_t {
  kStart,  // of the pass
  kBegin,  // of an action
  kEnd,    // of the last of several actions
};

struct MemoryChange {
  Id<model::Tensor> storage{};
  ChangeAt at = ChangeAt::kStart;
  std::vector<std::uint32_t> actions{};  // positions in PassBody::actions
  Bytes bytes{0.0};                      // more than before; negative: freed
};

// A pass that is repeated: it occupies the devices of its stage from its start to its end, and its
// actions have the same times relative to its start in each repetition.
struct PassBody {
  std::uint32_t pass = 0;  // index in Plan::passes
  std::uint32_t stage = 0;
  std::vector<Action> actions{};         // `after`: positions in this list
  std::vector<std::uint32_t> results{};  // positions of actions whose results other stages need
  std::vector<MemoryChange> memory{};
};

// Memory of one device of a stage, in one step.
struct StageMemory {
  Bytes peak{0.0};       // upper bound for any duration of transfers
  Bytes weights{0.0};    // weights and weight gradients: always live
  Bytes offloaded{0.0};  // before compression
  Bytes moved{0.0};      // transferred in each direction
  Bytes tables{0.0};     // stored in the backing store
  Bytes recomputed{0.0};
  Bytes from_checkpoints{0.0};  // of `recomputed`; the rest is recomputed instead of offloaded
  std::string peak_at{};        // operator at the peak
};

// The schedule of one training step, or of several consecutive ones.
struct Schedule {
  std::vector<Action> actions{};
  std::vector<LiveRange> live_ranges{};
  std::vector<StageMemory> stages{};
  std::vector<PassBody> bodies{};  // of actions of kind kPass
  LaunchPolicy launch{};

  [[nodiscard]] std::uint32_t steps() const { return launch.sequence.steps; }

  // The stage with the highest peak.
  [[nodiscard]] const StageMemory& fullest() const;
};

struct Limits {
  Bytes capacity = Bytes::infinity();  // of the device's memory
  Bytes store = Bytes(0.0);            // capacity of its share of the backing store
  BytesPerSecond store_bandwidth{};    // to the backing store, without contention
};

// Infeasible if the policy needs tables or a backing store that the model or platform lacks.
std::optional<Infeasible> check_policy(const plan::Plan& plan,
                                       const Policy& policy,
                                       bool has_store,
                                       const std::string& platform);

// The reason for a device whose memory is too small.
Infeasible over_capacity(Bytes peak, const std::string& when, Bytes capacity);

// `costs` by operator of the plan's graph. Infeasible with the excess and the kernel if memory is
// exceeded. With pipeline stages or concurrent kernels, that is only decided by simulation.
Feasible<Schedule> schedule(const plan::Plan& plan,
                            std::span<const kernel::Cost> costs,
                            const Policy& policy,
                            const Limits& limits,
                            const LaunchPolicy& launch = {});

// schedule() in two parts, to try one plan on many devices. Precondition:
// policy.same_on_every_device(). If the plan repeats a micro-batch, so does the schedule
// (repeat_passes).
plan::OrNotRepeated<Schedule> schedule_on_every_device(const plan::Plan& plan,
                                                       const Policy& policy,
                                                       const LaunchPolicy& launch = {});

// Whether the schedule fits a device, as far as that does not depend on the times of transfers
// between stages or of concurrent kernels.
std::optional<Infeasible> check_capacity(const plan::Plan& plan,
                                         const Schedule& schedule,
                                         const Policy& policy,
                                         const Limits& limits);

}  // namespace cairn::memory
