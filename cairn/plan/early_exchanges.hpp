// Exchanges that start as soon as their input is ready, not when the result is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/model/graph.hpp"
#include "cairn/plan/layout.hpp"
#include "cairn/plan/operand_rules.hpp"

namespace cairn::plan {

struct EarlyExchange {
  Id<model::Tensor> tensor{};
  TensorLayout layout{};  // target layout
};

// Parallelism::kHybrid: looked-up rows go to the devices of their samples, and their gradients back
// to the devices of their tables, while other layers are computed. Indexed by the operator of the
// graph after which the exchanges start; `stages` has the same index. `samples`: the layout that
// layers need.
std::vector<std::vector<EarlyExchange>> early_exchanges(const model::Graph& graph,
                                                        const std::vector<std::uint32_t>& stages,
                                                        const OperandRules& rules,
                                                        const TensorLayout& samples);

}  // namespace cairn::plan
