#include "cairn/plan/check_training.hpp"

#include <algorithm>

#include "cairn/model/recompute.hpp"

namespace cairn::plan {

bool has_tables(const model::Graph& graph) {
  return std::ranges::any_of(graph.operators,
                             [](const model::Operator& op) { return op.lookups.has_value(); });
}

std::optional<Infeasible> check_training(const model::Graph& forward,
                                         const model::Training& training,
                                         const Strategy& strategy) {
  if (training.checkpoints != model::Checkpoints::kNone &&
      !model::has_recomputable_blocks(forward, training.checkpoints)) {
    const bool blocks = training.checkpoints == model::Checkpoints::kBlocks;
    return Infeasible{
        Lack::kCheckpoints,
        forward.name + (blocks ? " has no repeated blocks" : " stores no attention scores")};
  }
  if (training.tables == model::Tables::kBackground && !has_tables(forward)) {
    return Infeasible{Lack::kBackgroundTables, forward.name + " has no embedding bags"};
  }
  if (strategy.zero > 0 && training.updates == model::Updates::kBeforeUse) {
    return Infeasible{Lack::kZero,
                      "ZeRO gathers weights after all updates, not before each use (use updates: "
                      "at_end)"};
  }
  return std::nullopt;
}

}  // namespace cairn::plan
