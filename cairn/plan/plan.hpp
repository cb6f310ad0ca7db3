// A plan: the operators and exchanges of the devices of each stage in a training step. All devices
// of a stage do the same work on their own shards, so one device stands for all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cairn/comm/collective.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/mesh.hpp"
#include "cairn/plan/not_repeated.hpp"
#include "cairn/plan/pipeline.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// A collective in every group of a stage, or a transfer from each device of a stage to its
// counterpart in another.
struct Exchange {
  std::string name{};
  comm::Op op = comm::Op::kAllReduce;
  Axes axes{};                            // of the groups; Axis::kPipeline for a transfer
  std::uint32_t stage = 0;                // the stage of `from`
  std::uint32_t to_stage = 0;             // the stage of `to`
  double elements = 0.0;                  // comm::Collective::size, in elements
  std::vector<Id<model::Tensor>> from{};  // inputs on a device
  std::vector<Id<model::Tensor>> to{};    // results on a device
  std::uint32_t layer = 0;
  std::uint32_t pass = 0;        // in which its results are needed: index in Plan::passes
  bool backward = false;         // for an operator of the backward pass
  bool blocking = false;         // the next operator waits for it, even if it does not read `to`
  bool contention_free = false;  // has all links to itself (GradientSync::kContentionFree)
  // Starts as early as possible, ahead of others on the same links (early_exchanges.hpp).
  bool high_priority = false;
  bool background = false;  // exchanges results of background operators (background.hpp)
  // Also waits for this operator, the last of a pass (SendGradients::kAtEnd,
  // GradientSync::kBlocking).
  std::optional<Id<model::Operator>> after{};

  [[nodiscard]] bool between_stages() const { return stage != to_stage; }
};

// A tensor that is computed in one step and read in the next (background.hpp), by storage.
struct CrossStepTensor {
  Id<model::Tensor> made{};
  Id<model::Tensor> read{};  // the tensor read in the next step, an external input there
};

using Task = std::variant<Id<model::Operator>, Id<Exchange>>;

struct Plan {
  model::Graph graph{};  // one device of each stage: local sizes
  std::vector<Exchange> exchanges{};
  std::vector<Task> tasks{};                          // in topological order
  std::vector<std::uint32_t> operator_stage{};        // by operator
  std::vector<std::string> first_of_virtual_stage{};  // its first forward operator
  std::vector<StagePass> passes{};                    // their tasks are consecutive
  std::vector<std::uint32_t> operator_pass{};         // by operator: index in `passes`
  Pipeline pipeline{};
  std::uint32_t micro_batches = 1;  // of a training step
  // Micro-batches in `tasks`: all; or three, which stand for the first, each one between, the last.
  std::uint32_t planned = 1;
  std::vector<CrossStepTensor> cross_step{};
  Mesh mesh{};
  std::string strategy{};       // its name in results
  chip::Precision precision{};  // training precision
  double batch = 0.0;           // samples of a step, all devices together
  double macs = 0.0;            // of the model, for all samples

  [[nodiscard]] std::uint32_t devices() const { return mesh.shards(); }

  // The stage whose devices run a pass.
  [[nodiscard]] std::uint32_t stage_of(std::uint32_t pass) const {
    return pipeline.stage_of(passes[pass].virtual_stage);
  }

  // Whether one micro-batch stands for several.
  [[nodiscard]] bool repeats() const { return planned < micro_batches; }

  // Whether a pass stands for `repetitions()` passes.
  [[nodiscard]] bool is_repeated(std::uint32_t pass) const {
    return repeats() && passes[pass].kind != PassKind::kUpdate && passes[pass].micro_batch == 1;
  }

  // The micro-batches between the first and the last.
  [[nodiscard]] std::uint32_t repetitions() const { return micro_batches - 2; }

  // How often a training step executes an operator or exchange of a pass.
  [[nodiscard]] std::uint32_t times(std::uint32_t pass) const {
    return is_repeated(pass) ? repetitions() : 1;
  }

  // Bytes of an element in the training precision.
  [[nodiscard]] Bytes element() const { return chip::element_bytes(precision); }
};

// The first of three micro-batches writes the gradients, the next adds to them, the last is
// followed by their reduction.
inline constexpr std::uint32_t kDistinctMicroBatches = 3;

// The micro-batches of a plan.
enum class MicroBatches : std::uint8_t {
  kAll,
  kRepeated,  // the first, one that stands for all between, and the last
};

// Partitions a training graph (with its backward pass), built for the batch of all devices
// together, or for one of its `micro_batches`.
//
// A tensor has a layout (layout.hpp). Where an operator needs an input in another layout than it
// was computed in, an exchange along an axis reshards it:
//
//   rows, columns -> whole      all-gather
//   partial -> whole            all-reduce
//   partial -> rows, columns    reduce-scatter (or all-reduce, see PartialSum)
//   rows <-> columns            all-to-all (or all-gather, see Resharding)
//   whole -> rows, columns      none: each slices locally
//
// Infeasible: a shard would be empty, or the graph cannot be cut into these stages.
Feasible<Plan> parallelize(const model::Graph& graph,
                           const Strategy& strategy,
                           const Mesh& mesh,
                           MicroBatches micro_batches = MicroBatches::kAll);

}  // namespace cairn::plan
