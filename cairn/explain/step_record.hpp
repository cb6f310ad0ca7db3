// The actions of a step as spans of time, and their totals.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

inline constexpr std::size_t kActionKinds = 6;

std::string_view to_text(memory::ActionKind kind);

// An action on the devices of one class; an exchange is one span for all devices, in the first
// class of the sending stage. Spans of one kind, class and channel never overlap: kernels, and
// exchanges of a channel, wait for each other, and a transfer begins when the previous one in its
// queue ends.
struct ActionSpan {
  Id<memory::Action> action{};
  memory::ActionKind kind{};
  std::optional<model::Pass> pass{};  // of kernels
  std::uint32_t device_class = 0;
  std::uint32_t channel = 0;  // for exchanges: index in StepRecord::channels
  SimTime submitted{};
  SimTime begin{};
  SimTime end{};
};

// By class, then kind, then channel, then time.
std::vector<ActionSpan> action_spans(const lower::LoweredStep& step, const sim::Timeline& timeline);

// "conv1_1 (forward)"; transfers: "offload of conv1_1"; collectives: "all_reduce of conv1_1".
std::string action_name(const plan::Plan& plan, const memory::Action& action);

struct NamedSpan {
  std::string name{};
  memory::ActionKind kind{};
  std::optional<model::Pass> pass{};  // of kernels
  std::uint32_t device_class = 0;
  std::uint32_t channel = 0;  // for exchanges: index in StepRecord::channels
  std::uint32_t layer = 0;
  Bytes bytes{0.0};  // of transfers and collectives
  Seconds submitted{0.0};
  Seconds begin{0.0};
  Seconds end{0.0};
};

// Units that a span draws on one member of a resource.
struct SpanDraw {
  std::uint32_t span = 0;
  std::uint32_t resource = 0;  // index in StepRecord::resources
  double drawn = 0.0;
};

// Span `to` waits for span `from`.
struct SpanFlow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

struct OperatorCost {
  std::string name{};
  std::string pass{};
  std::string kind{};
  std::uint32_t layer = 0;
  std::uint32_t stage = 0;
  double macs = 0.0;   // of one device
  double flops = 0.0;  // of one device: two per MAC, one per element-wise operation
  kernel::Cost cost{};
};

// The full record of a step, only with Detail::kRecord.
struct StepRecord {
  // A memory::ExchangeChannel.
  struct NamedChannel {
    // "collectives", "collectives over d in stage 1", "all-to-alls", "from stage 0 to 1";
    // "collectives (2)" if another one has the same name.
    std::string name{};
    std::uint32_t stage = 0;
    std::uint32_t to_stage = 0;
  };

  std::vector<NamedSpan> spans{};
  std::vector<NamedChannel> channels{};  // in the order of their first exchange
  std::vector<std::string> resources{};
  std::vector<SpanDraw> draws{};  // add up to the simulated traffic
  // Only between spans of different rows: spans of one row follow each other.
  std::vector<SpanFlow> flows{};
  // Traffic per step by link of the platform, if located (lower::Machine::of_link).
  std::vector<Bytes> traffic_by_link{};
  std::vector<OperatorCost> operators{};
};

StepRecord record_step(const lower::LoweredStep& step,
                       const sim::Timeline& timeline,
                       std::span<const ActionSpan> spans);

}  // namespace cairn::explain
