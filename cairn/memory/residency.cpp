#include "cairn/memory/residency.hpp"

#include <algorithm>

namespace cairn::memory {

namespace {

using model::LayerClass;
using model::Operator;
using model::TensorKind;

bool read_by_convolution(const plan::Plan& plan, std::size_t storage) {
  return std::ranges::any_of(plan.graph.operators, [&](const Operator& op) {
    return op.properties().layer == LayerClass::kConvolution && !op.in_backward_pass() &&
           std::ranges::any_of(op.inputs, [&](Id<model::Tensor> input) {
             return plan.graph.tensor(input).storage.index() == storage;
           });
  });
}

double compression_of(const Compression& compression, const Operator* writer) {
  if (writer == nullptr) {
    return compression.other;
  }
  switch (writer->properties().layer) {
    case LayerClass::kConvolution:
      return compression.convolution;
    case LayerClass::kFullyConnected:
      return compression.fully_connected;
    case LayerClass::kRecurrent:
      return compression.recurrent;
    case LayerClass::kOther:
      break;
  }
  return compression.other;
}

}  // namespace

bool may_offload(const StorageUse& use, const Policy& policy) {
  switch (use.kind) {
    case TensorKind::kData:
    case TensorKind::kActivation:
      return use.spans_passes();
    case TensorKind::kState:
    case TensorKind::kIndices:
      return policy.offload_state && use.spans_passes();
    case TensorKind::kWeight:
    case TensorKind::kGradient:
    case TensorKind::kWeightGradient:
      break;
  }
  return false;
}

Bytes offloaded_bytes(const plan::Plan& plan,
                      const StorageUse& use,
                      const Compression& compression) {
  const Operator* writer = use.forward_writers.empty()
                               ? nullptr
                               : operator_of(plan, plan.tasks[use.forward_writers.front()]);
  return use.bytes / compression_of(compression, writer);
}

bool worth_recomputing(Id<model::Tensor> storage,
                       const RecomputeContext& context,
                       const std::vector<Residency>& residency) {
  const auto& [plan, live, costs, store_bandwidth, compression] = context;
  const StorageUse& use = live.storage[storage.index()];
  if (use.from_outside || use.forward_writers.empty()) {
    return false;
  }
  Seconds recompute(0.0);
  for (const std::size_t writer : use.forward_writers) {
    const Operator* op = operator_of(plan, plan.tasks[writer]);
    if (op == nullptr || !op->properties().is_cheap) {
      return false;
    }
    recompute += costs[std::get<Id<Operator>>(plan.tasks[writer]).index()].time;
    for (const Id<model::Tensor> input : op->inputs) {
      const std::size_t source = plan.graph.tensor(input).storage.index();
      const StorageUse& source_use = live.storage[source];
      const bool available = source == storage.index() || source_use.spans_passes() ||
                             source_use.kind == TensorKind::kWeight;
      if (!available || residency[source] == Residency::kRecomputed) {
        return false;
      }
    }
    // Other outputs would be computed twice.
    if (std::ranges::any_of(op->outputs, [&](Id<model::Tensor> output) {
          const std::size_t written = plan.graph.tensor(output).storage.index();
          const TensorKind kind = plan.graph.tensor(output).kind;
          return written != storage.index() && kind != TensorKind::kIndices &&
                 kind != TensorKind::kState;
        })) {
      return false;
    }
  }
  return recompute < 2.0 * (offloaded_bytes(plan, use, compression) / store_bandwidth);
}

std::vector<Residency> decide_residency(const Policy& policy, const RecomputeContext& context) {
  std::vector<Residency> residency(context.live.storage.size(), Residency::kKept);
  if (policy.offload == Offload::kNone || policy.offload == Offload::kOnDemand) {
    return residency;
  }
  for (std::size_t s = 0; s < residency.size(); ++s) {
    const Id<model::Tensor> storage(s);
    if (!may_offload(context.live.storage[s], policy) ||
        (policy.offload == Offload::kConvolutions && !read_by_convolution(context.plan, s))) {
      continue;
    }
    residency[s] = policy.recompute && worth_recomputing(storage, context, residency)
                       ? Residency::kRecomputed
                       : Residency::kOffloaded;
  }
  return residency;
}

}  // namespace cairn::memory
