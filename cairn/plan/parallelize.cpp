#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cairn/plan/assign_stages.hpp"
#include "cairn/plan/partition.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/plan/unroll.hpp"

namespace cairn::plan {

namespace {

using model::Graph;
using model::Pass;

std::vector<std::string> first_of_virtual_stage(const Graph& graph,
                                                const std::vector<std::uint32_t>& virtual_stages,
                                                std::uint32_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = graph.operators.size(); i > 0; --i) {
    if (graph.operators[i - 1].pass == Pass::kForward && !graph.operators[i - 1].again) {
      names[virtual_stages[i - 1]] = graph.operators[i - 1].name;
    }
  }
  return names;
}

Feasible<Plan> with_passes(Feasible<Plan> plan, std::vector<StagePass> passes) {
  if (!plan) {
    return plan;
  }
  Plan result = std::move(plan).value();
  result.passes = std::move(passes);
  return result;
}

Feasible<Plan> cut_and_partition(const Graph& graph,
                                 const Strategy& strategy,
                                 const Mesh& mesh,
                                 const Pipeline& pipeline) {
  const auto virtual_stages = assign_stages(graph, strategy, pipeline.virtual_stages());
  if (!virtual_stages) {
    return virtual_stages.reason();
  }
  if (strategy.micro_batches == 1 && mesh.stages() == 1) {
    const std::vector<std::uint32_t> one_pass(graph.operators.size(), 0);
    return with_passes(partition(graph, *virtual_stages, one_pass, strategy, mesh), {{}});
  }
  Unrolled unrolled = unroll(graph, *virtual_stages, pipeline, strategy.micro_batches);
  auto plan =
      with_passes(partition(unrolled.graph, unrolled.stages, unrolled.passes, strategy, mesh),
                  std::move(unrolled.all_passes));
  if (!plan) {
    return plan;
  }
  Plan result = std::move(plan).value();
  result.first_of_virtual_stage =
      first_of_virtual_stage(graph, *virtual_stages, pipeline.virtual_stages());
  return result;
}

}  // namespace

Feasible<Plan> parallelize(const Graph& graph,
                           const Strategy& strategy,
                           const Mesh& mesh,
                           MicroBatches micro_batches) {
  Strategy planned = strategy;
  if (micro_batches == MicroBatches::kRepeated) {
    planned.micro_batches = std::min(strategy.micro_batches, kDistinctMicroBatches);
  }
  const Pipeline pipeline = pipeline_of(strategy);
  const bool repeats = planned.micro_batches < strategy.micro_batches;
  Pipeline of_planned = pipeline;
  if (repeats) {  // a full group; the order of passes matters only within a micro-batch
    of_planned.group = std::max(pipeline.stages, planned.micro_batches);
  }
  auto plan = cut_and_partition(graph, planned, mesh, of_planned);
  if (!plan) {
    return plan;
  }
  Plan result = std::move(plan).value();
  result.strategy = name_of(strategy, mesh);
  result.precision = strategy.precision;
  result.pipeline = pipeline;
  result.micro_batches = strategy.micro_batches;
  result.planned = planned.micro_batches;
  result.batch = graph.batch * strategy.micro_batches;
  result.macs = model::macs_of(graph) * strategy.micro_batches;
  return result;
}

}  // namespace cairn::plan
