// A plan: what the devices of each stage do in a step, and what they exchange. All devices of a
// stage do the same on their own shares, so one device's steps stand for all.
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
  Axes axes{};                            // of the groups; of a transfer: the stage
  std::uint32_t stage = 0;                // that reads `from`
  std::uint32_t to_stage = 0;             // that has `to`
  double elements = 0.0;                  // comm::Collective::size, in elements
  std::vector<Id<model::Tensor>> from{};  // what it reads of a device
  std::vector<Id<model::Tensor>> to{};    // what a device has afterwards
  std::uint32_t layer = 0;
  bool backward = false;  // for an operator of the backward pass
  bool blocking = false;  // the next operator waits for it, even if it does not read `to`
  bool unshared = false;  // has links for itself (GradientSync::kUnshared)
  // Goes out as soon as it can, and before others that want the same links (early_exchanges.hpp).
  bool goes_first = false;
  bool background = false;  // of what operators in the background made (background.hpp)
  // Waits for this operator too: the last of a stage's pass (SendGradients::kAtEnd).
  std::optional<Id<model::Operator>> after{};

  [[nodiscard]] bool between_stages() const { return stage != to_stage; }
};

// What is made in one step and read in the next (background.hpp), by storage.
struct Carried {
  Id<model::Tensor> made{};
  Id<model::Tensor> read{};  // as which tensor; within a step, it comes from outside
};

using Step = std::variant<Id<model::Operator>, Id<Exchange>>;

struct Plan {
  model::Graph graph{};  // one device of each stage: local sizes
  std::vector<Exchange> exchanges{};
  std::vector<Step> steps{};                    // in an order in which they can run
  std::vector<std::uint32_t> operator_stage{};  // by operator
  std::vector<std::string> first_of_stage{};    // by stage: its first forward operator
  std::vector<Carried> carried{};
  Mesh mesh{};
  std::string strategy{};       // what results call it
  chip::Precision precision{};  // that is trained in
  double batch = 0.0;           // samples of a step, of all devices
  double macs = 0.0;            // of the model, of all samples

  [[nodiscard]] std::uint32_t devices() const { return mesh.shards(); }

  // Of tensors that have no element size of their own.
  [[nodiscard]] Bytes element() const { return chip::element_bytes(precision); }
};

// Spreads a training graph (with its backward pass), built for the batch of all devices together,
// or for one of `micro_batches` of it.
//
// A tensor has a layout (layout.hpp). Operators want their inputs in certain layouts and leave
// their outputs in others; where these differ, an exchange along an axis changes one into the
// other:
//
//   rows, columns -> whole      all-gather
//   partial -> whole            all-reduce
//   partial -> rows, columns    reduce-scatter (or all-reduce, see PartialSum)
//   rows <-> columns            all-to-all (or all-gather, see Resharding)
//   whole -> rows, columns      nothing: each takes its part
//
// Infeasible: a shard would be empty, or the stages cannot be cut like that.
Feasible<Plan> parallelize(const model::Graph& graph, const Strategy& strategy, const Mesh& mesh);

}  // namespace cairn::plan
