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
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// A collective in every group of a stage, or a transfer from each device of a stage to its
// counterpart in another.
struct Exchange {
  std::string name{};
  comm::Op op = comm::Op::kAllReduce;
  Axes axes{};                            // of the groups; Axis::kStage for a transfer
  std::uint32_t stage = 0;                // the stage of `from`
  std::uint32_t to_stage = 0;             // the stage of `to`
  double elements = 0.0;                  // comm::Collective::size, in elements
  std::vector<Id<model::Tensor>> from{};  // inputs on a device
  std::vector<Id<model::Tensor>> to{};    // results on a device
  std::uint32_t layer = 0;
  bool backward = false;         // for an operator of the backward pass
  bool blocking = false;         // the next operator waits for it, even if it does not read `to`
  bool contention_free = false;  // has all links to itself (GradientSync::kContentionFree)
  // Starts as early as possible, ahead of others on the same links (early_exchanges.hpp).
  bool high_priority = false;
  bool background = false;  // exchanges results of background operators (background.hpp)
  // Also waits for this operator, the last of a stage's pass (SendGradients::kAtEnd).
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
  std::vector<Task> tasks{};                    // in topological order
  std::vector<std::uint32_t> operator_stage{};  // by operator
  std::vector<std::string> first_of_stage{};    // by stage: its first forward operator
  std::vector<CrossStepTensor> cross_step{};
  Mesh mesh{};
  std::string strategy{};       // its name in results
  chip::Precision precision{};  // training precision
  double batch = 0.0;           // samples of a step, all devices together
  double macs = 0.0;            // of the model, for all samples

  [[nodiscard]] std::uint32_t devices() const { return mesh.shards(); }

  // Bytes of an element in the training precision.
  [[nodiscard]] Bytes element() const { return chip::element_bytes(precision); }
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
Feasible<Plan> parallelize(const model::Graph& graph, const Strategy& strategy, const Mesh& mesh);

}  // namespace cairn::plan
