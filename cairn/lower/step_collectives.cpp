#include "cairn/lower/step_collectives.hpp"

#include <set>

namespace cairn::lower {

CollectiveKey key_of(const plan::Exchange& exchange, const plan::Plan& plan) {
  const plan::Mesh& mesh = plan.mesh;
  const bool all =
      !exchange.between_stages() && mesh.group_size(exchange.axes) == mesh.shards_of_stage();
  return {.kind = {exchange.op,
                   all ? plan::kWholeStage : exchange.axes,
                   exchange.stage,
                   exchange.to_stage},
          .size = plan.element() * exchange.elements};
}

std::vector<CollectiveKey> collectives_of(const plan::Plan& plan) {
  std::vector<CollectiveKey> keys;
  std::set<CollectiveKey> known;
  for (const plan::Exchange& exchange : plan.exchanges) {
    const CollectiveKey key = key_of(exchange, plan);
    if (known.insert(key).second) {
      keys.push_back(key);
    }
  }
  return keys;
}

std::vector<sim::PhaseProgram> collective_parts(const Machine& machine, const CollectiveKey& key) {
  std::vector<sim::PhaseProgram> parts = template_for(machine, key).parts;
  for (sim::PhaseProgram& part : parts) {
    part.payload *= key.size.si();
    part.chunk_size *= key.size.si();
  }
  return parts;
}

}  // namespace cairn::lower
