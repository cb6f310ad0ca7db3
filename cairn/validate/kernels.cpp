#include "cairn/validate/kernels.hpp"

#include <algorithm>
#include <initializer_list>

#include "cairn/kernel/last_level_cache.hpp"

namespace cairn::validate {

namespace {

using model::Pass;

Kernels of_passes(const model::Graph& graph,
                  std::initializer_list<Pass> passes,
                  chip::Precision precision,
                  bool warm,
                  Subject& subject) {
  Kernels kernels;
  kernel::LastLevelCache cache(graph, subject.device(), chip::element_bytes(precision));
  // If warm, a first round fills the cache; only the second is counted.
  for (const bool counted : {false, true}) {
    for (const model::Operator& op : graph.operators) {
      if ((counted || warm) && std::ranges::find(passes, op.pass) != passes.end()) {
        kernel::Work work = kernel::work_of(graph, op, precision);
        work.held = cache.use(op);
        if (counted) {
          kernels.add(subject.kernels.cost(work));
        }
      }
    }
  }
  return kernels;
}

}  // namespace

void Kernels::add(const kernel::Cost& cost) {
  time += cost.time;
  if (cost.time > longest_) {
    longest_ = cost.time;
    bound_by = to_text(cost.bound_by);
  }
}

Kernels kernels_of(
    const model::Graph& graph, Pass pass, chip::Precision precision, bool warm, Subject& subject) {
  return of_passes(graph, {pass}, precision, warm, subject);
}

Kernels backward_kernels(const model::Graph& graph,
                         chip::Precision precision,
                         bool warm,
                         Subject& subject) {
  return of_passes(graph, {Pass::kDataGradient, Pass::kWeightGradient}, precision, warm, subject);
}

}  // namespace cairn::validate
