#include "cairn/memory/fates.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

using model::Operator;
using model::OperatorKind;
using model::TensorKind;

bool read_by_convolution(const plan::Plan& plan, std::size_t storage) {
  return std::ranges::any_of(plan.graph.operators, [&](const Operator& op) {
    return op.kind == OperatorKind::kConvolution && !op.in_backward_pass() &&
           std::ranges::any_of(op.inputs, [&](Id<model::Tensor> input) {
             return plan.graph.tensor(input).storage.index() == storage;
           });
  });
}

double compression_of(const Compression& compression, const Operator* maker) {
  if (maker == nullptr) {
    return compression.other;
  }
  switch (maker->kind) {
    case OperatorKind::kConvolution:
      return compression.convolution;
    case OperatorKind::kFullyConnected:
      return compression.fully_connected;
    case OperatorKind::kRecurrent:
      return compression.recurrent;
    case OperatorKind::kMatmul:
    case OperatorKind::kAttention:
    case OperatorKind::kAdditiveScores:
    case OperatorKind::kActivation:
    case OperatorKind::kPool:
    case OperatorKind::kNormalization:
    case OperatorKind::kSoftmax:
    case OperatorKind::kCrossEntropy:
    case OperatorKind::kConcat:
    case OperatorKind::kAdd:
    case OperatorKind::kEmbedding:
    case OperatorKind::kUpdate:
      break;
  }
  return compression.other;
}

}  // namespace

bool may_move(const StorageUse& use, const Policy& policy) {
  switch (use.kind) {
    case TensorKind::kData:
    case TensorKind::kFeatureMap:
      return use.spans_passes();
    case TensorKind::kState:
    case TensorKind::kIndices:
      return policy.overlay_state && use.spans_passes();
    case TensorKind::kWeight:
    case TensorKind::kGradient:
    case TensorKind::kWeightGradient:
      break;
  }
  return false;
}

Bytes moved_bytes(const plan::Plan& plan, const StorageUse& use, const Compression& compression) {
  const Operator* maker = use.forward_writers.empty()
                              ? nullptr
                              : operator_of(plan, plan.steps[use.forward_writers.front()]);
  return use.bytes / compression_of(compression, maker);
}

bool worth_remaking(Id<model::Tensor> storage,
                    const Remaking& remaking,
                    const std::vector<Fate>& fates) {
  const auto& [plan, live, costs, store_bandwidth, compression] = remaking;
  const StorageUse& use = live.storage[storage.index()];
  if (use.from_outside || use.forward_writers.empty()) {
    return false;
  }
  Seconds again(0.0);
  for (const std::size_t writer : use.forward_writers) {
    const Operator* op = operator_of(plan, plan.steps[writer]);
    if (op == nullptr || !model::is_cheap(op->kind)) {
      return false;
    }
    again += costs[std::get<Id<Operator>>(plan.steps[writer]).index()].time;
    for (const Id<model::Tensor> input : op->inputs) {
      const std::size_t source = plan.graph.tensor(input).storage.index();
      const StorageUse& source_use = live.storage[source];
      const bool there = source == storage.index() || source_use.spans_passes() ||
                         source_use.kind == TensorKind::kWeight;
      if (!there || fates[source] == Fate::kRemade) {
        return false;
      }
    }
    // Whatever else it makes would be made twice.
    if (std::ranges::any_of(op->outputs, [&](Id<model::Tensor> output) {
          const std::size_t made = plan.graph.tensor(output).storage.index();
          const TensorKind kind = plan.graph.tensor(output).kind;
          return made != storage.index() && kind != TensorKind::kIndices &&
                 kind != TensorKind::kState;
        })) {
      return false;
    }
  }
  return again < 2.0 * (moved_bytes(plan, use, compression) / store_bandwidth);
}

std::vector<Fate> decide_fates(const Policy& policy, const Remaking& remaking) {
  std::vector<Fate> fates(remaking.live.storage.size(), Fate::kStays);
  if (policy.overlay == Overlay::kNone || policy.overlay == Overlay::kWhatDoesNotFit) {
    return fates;
  }
  for (std::size_t s = 0; s < fates.size(); ++s) {
    const Id<model::Tensor> storage(s);
    if (!may_move(remaking.live.storage[s], policy) ||
        (policy.overlay == Overlay::kConvolutions && !read_by_convolution(remaking.plan, s))) {
      continue;
    }
    fates[s] =
        policy.recompute && worth_remaking(storage, remaking, fates) ? Fate::kRemade : Fate::kMoved;
  }
  return fates;
}

}  // namespace cairn::memory
