// A plan: what one device does in a step, and what the devices exchange. All devices do the same on
// their own share, so one device's steps stand for all.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cairn/comm/collective.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// A collective among all devices of the plan.
struct Exchange {
  std::string name{};
  comm::Op op = comm::Op::kAllReduce;
  double elements = 0.0;                  // comm::Collective::size, in elements
  std::vector<Id<model::Tensor>> from{};  // what it reads of a device
  std::vector<Id<model::Tensor>> to{};    // what a device has afterwards
  std::uint32_t layer = 0;
  bool blocking = false;  // the next operator waits for it, even if it does not read `to`
};

using Step = std::variant<Id<model::Operator>, Id<Exchange>>;

struct Plan {
  model::Graph graph{};  // one device's share: local sizes
  std::vector<Exchange> exchanges{};
  std::vector<Step> steps{};  // in an order in which they can run
  std::uint32_t devices = 1;
};

// Spreads a training graph (with its backward pass), built for the batch of all devices together.
//
// A tensor has a layout: `batch` (each device has its samples), `channels` (its channels of all
// samples), `whole`, or `partial` (the sum over devices is the value). Operators want their inputs
// in certain layouts and leave their outputs in others; where these differ, an exchange changes one
// into the other:
//
//   channels, batch -> whole      all-gather
//   partial -> whole              all-reduce
//   partial -> batch, channels    reduce-scatter (or all-reduce, see PartialSum)
//   whole -> batch, channels      nothing: each takes its part
//
//   data-parallel    X batch, W whole,    Y batch;     dX batch;    dW partial -> whole
//   model-parallel   X whole, W channels, Y channels;  dX partial;  dW channels
//
// Operators without weights keep the layout of what they read.
Plan parallelize(const model::Graph& graph, const Strategy& strategy, std::uint32_t devices);

// The batch of all devices together.
double total_batch(const Strategy& strategy, std::uint32_t devices);

}  // namespace cairn::plan
