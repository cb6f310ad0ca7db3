// Exchanges that go out as soon as what they read is made, not when the result is wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/model/graph.hpp"
#include "cairn/plan/layout.hpp"
#include "cairn/plan/operand_rules.hpp"

namespace cairn::plan {

struct EarlyExchange {
  Id<model::Tensor> tensor{};
  Layout layout{};  // that it is wanted in
};

// Tables by model, all else by data: what is looked up goes to whose samples it is for, and its
// gradient back to whose tables it is of, while other layers are computed. By operator of the
// graph, after which they go out; `stages` likewise. `samples`: the layout that layers want.
std::vector<std::vector<EarlyExchange>> early_exchanges(const model::Graph& graph,
                                                        const std::vector<std::uint32_t>& stages,
                                                        const OperandRules& rules,
                                                        const Layout& samples);

}  // namespace cairn::plan
