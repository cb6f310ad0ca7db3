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
      !model::has_what_is_made_again(forward, training.checkpoints)) {
    const bool blocks = training.checkpoints == model::Checkpoints::kBlocks;
    return Infeasible{
        Lack::kCheckpoints,
        forward.name + (blocks ? " has no blocks that repeat" : " stores no scores of attention")};
  }
  if (training.tables == model::Tables::kBackground && !has_tables(forward)) {
    return Infeasible{Lack::kBackgroundTables,
                      forward.name + " has none that are looked up by rows"};
  }
  if (strategy.zero > 0 && training.updates == model::Updates::kBeforeUse) {
    return Infeasible{Lack::kZero,
                      "replicas that update parts of the weights gather them when all are updated, "
                      "not before each is used (expected updates: at_end)"};
  }
  return std::nullopt;
}

}  // namespace cairn::plan
