// When each storage of a plan is used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/base/must_have.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::memory {

// Tensors that a step of the plan reads and writes.
const std::vector<Id<model::Tensor>>& reads_of(const plan::Plan& plan, const plan::Task& step);
const std::vector<Id<model::Tensor>>& writes_of(const plan::Plan& plan, const plan::Task& step);

// The operator of a step, or nullptr for an exchange.
const model::Operator* operator_of(const plan::Plan& plan, const plan::Task& step);

// The stage that runs the step; for an exchange between stages, the receiver.
std::uint32_t stage_of(const plan::Plan& plan, const plan::Task& step);

// Whether a step belongs to the backward pass.
bool is_backward(const plan::Plan& plan, const plan::Task& step);

struct StorageUse {
  Bytes bytes{0.0};
  model::TensorKind kind = model::TensorKind::kActivation;
  std::optional<std::size_t> first{};  // first step that uses it; nothing: never used
  std::size_t last = 0;                // last step that uses it
  std::optional<std::size_t> last_forward{};
  std::optional<std::size_t> first_backward{};
  bool from_outside = false;  // read before it is written: live from the beginning
  bool cross_step = false;    // written in one training step, read in the next
  std::vector<std::size_t> forward_writers{};
  std::uint32_t stage = 0;  // that stores it

  // Used in the forward pass, and again in the backward pass.
  [[nodiscard]] bool spans_passes() const { return last_forward && first_backward; }

  // Steps between the last forward and the first backward use. Precondition: spans_passes().
  [[nodiscard]] std::size_t reuse_distance() const {
    return must_have(first_backward, "not used in the backward pass") -
           must_have(last_forward, "not used in the forward pass");
  }
};

struct Liveness {
  std::vector<StorageUse> storage{};  // by tensor; only for tensors that own their storage
};

Liveness liveness(const plan::Plan& plan);

}  // namespace cairn::memory
