// Whether a model supports the requested training options, for any mesh.
#pragma once

#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

bool has_tables(const model::Graph& graph);

// `forward`: the forward pass.
std::optional<Infeasible> check_training(const model::Graph& forward,
                                         const model::Training& training,
                                         const Strategy& strategy);

}  // namespace cairn::plan
