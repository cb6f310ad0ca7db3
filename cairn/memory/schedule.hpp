// The plan of one device with its memory: kernels, exchanges and transfers in program order, what
// each waits for, and how long each piece of memory is in use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/memory/dispatch.hpp"
#include "cairn/memory/policy.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::memory {

enum class ActionKind : std::uint8_t {
  kKernel,
  kRecompute,
  kExchange,
  kOffload,
  kPrefetch,
  kBackground,  // a kernel beside the others, on what is kept for such (Dispatch::background)
};

struct Action {
  ActionKind kind = ActionKind::kKernel;
  // Of the plan: the operator (kernels, recomputation, background), the exchange, or the tensor
  // whose storage is moved.
  std::uint32_t subject = 0;
  std::uint32_t layer = 0;
  std::uint32_t stage =
      0;             // whose devices do it; of an exchange between stages, the one that sends
  Bytes bytes{0.0};  // transfers: what is moved
  std::vector<Id<Action>> after{};

  // One of a device's kernels that are not in the background.
  [[nodiscard]] bool computes() const {
    return kind == ActionKind::kKernel || kind == ActionKind::kRecompute;
  }

  [[nodiscard]] bool runs_operator() const { return computes() || kind == ActionKind::kBackground; }

  [[nodiscard]] bool moves() const {
    return kind == ActionKind::kOffload || kind == ActionKind::kPrefetch;
  }
};

// Memory in use from the start of one action until the end of the last of others; without `until`,
// to the end of the step.
struct Life {
  Id<model::Tensor> storage{};
  std::uint32_t stage = 0;
  Bytes bytes{0.0};
  std::optional<Id<Action>> from{};  // nothing: from the beginning
  std::vector<Id<Action>> until{};
};

// Of one device of a stage, in one step.
struct StageMemory {
  Bytes peak{0.0};       // at most, however long transfers take
  Bytes weights{0.0};    // and weight gradients: always there
  Bytes offloaded{0.0};  // before compression
  Bytes moved{0.0};      // in each direction
  Bytes tables{0.0};     // that are in the backing store all the time
  Bytes recomputed{0.0};
  Bytes from_checkpoints{0.0};  // of `recomputed`; the rest: instead of moving it
  std::string peak_at{};        // the operator that runs when the peak is reached
};

// Of one training step, or of several in a row.
struct Schedule {
  std::vector<Action> actions{};
  std::vector<Life> lives{};
  std::vector<StageMemory> stages{};
  Dispatch dispatch{};

  [[nodiscard]] std::uint32_t steps() const { return dispatch.sequence.steps; }

  // The stage that needs most.
  [[nodiscard]] const StageMemory& fullest() const;
};

struct Limits {
  Bytes capacity = Bytes::infinity();  // of the device's memory
  Bytes store = Bytes(0.0);            // of its share of the backing store
  BytesPerSecond store_bandwidth{};    // to it, alone
};

// Whether the model and the platform have what the policy is about: tables, a backing store.
std::optional<Infeasible> check_policy(const plan::Plan& plan,
                                       const Policy& policy,
                                       bool has_store,
                                       const std::string& platform);

// What is said of a device whose memory is too small.
Infeasible too_much(Bytes peak, const std::string& when, Bytes capacity);

// `costs` by operator of the plan's graph. Infeasible: what does not fit, by how much and where; in
// a pipeline, or if kernels are not one by one, whether all of it does shows only when it runs.
Feasible<Schedule> schedule(const plan::Plan& plan,
                            std::span<const kernel::Cost> costs,
                            const Policy& policy,
                            const Limits& limits,
                            const Dispatch& dispatch = {});

// The same in two parts, for those who try one plan on many devices, with a policy that is the same
// on all of them: what is done ...
Schedule schedule_on_every_device(const plan::Plan& plan,
                                  const Policy& policy,
                                  const Dispatch& dispatch = {});

// ... and whether that fits one of them. Only what does not depend on when transfers between stages
// arrive, or kernels that are not one by one run.
std::optional<Infeasible> does_not_fit(const plan::Plan& plan,
                                       const Schedule& schedule,
                                       const Policy& policy,
                                       const Limits& limits);

}  // namespace cairn::memory
