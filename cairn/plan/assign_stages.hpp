// Where the model is cut into the virtual stages of a pipeline.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// The virtual stage of each operator of a training graph. The graph is cut at Strategy::cuts, or so
// that the work of the largest one is minimal; operators of one block (unless CutAt::kLayers) or
// with one weight stay together, and so do an operator and its gradients. Infeasible: fewer blocks
// or layers than virtual stages, or data would flow backwards.
Feasible<std::vector<std::uint32_t>> assign_stages(const model::Graph& graph,
                                                   const Strategy& strategy,
                                                   std::uint32_t virtual_stages);

}  // namespace cairn::plan
