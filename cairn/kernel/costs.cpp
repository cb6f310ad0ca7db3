#include "cairn/kernel/costs.hpp"

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

namespace {

// Whether the optimizer's update is not counted. (Updates of embedding rows are part of the model.)
bool is_free(const model::Operator& op, model::Optimizer optimizer) {
  return op.updates_weight() && optimizer == model::Optimizer::kFree;
}

Cost scaled(Cost cost, double scale) {
  cost.time *= scale;
  cost.compute *= scale;
  cost.memory *= scale;
  return cost;
}

}  // namespace

std::vector<Cost> costs_of(const model::Graph& graph,
                           chip::Precision precision,
                           model::Optimizer optimizer,
                           const Kernels& kernels) {
  LastLevelCache cache_state(graph, kernels.foreground.device(), chip::element_bytes(precision));
  std::vector<Cost> costs;
  costs.reserve(graph.operators.size());
  for (const model::Operator& op : graph.operators) {
    Work work = work_of(graph, op, precision);
    work.held = op.background ? Bytes(0.0) : cache_state.use(op);
    Cache& cache = op.background ? kernels.background : kernels.foreground;
    costs.push_back(is_free(op, optimizer) ? Cost{} : scaled(cache.cost(work), kernels.scale));
  }
  return costs;
}

}  // namespace cairn::kernel
