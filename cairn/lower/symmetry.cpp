#include "cairn/lower/symmetry.hpp"

#include <algorithm>

namespace cairn::lower {

bool is_fully_symmetric(const platform::Platform& platform,
                        const plan::Mesh& mesh,
                        std::span<const ExchangeChoice> exchanges,
                        const MachineOptions& options) {
  const bool has_store =
      std::ranges::any_of(platform.graph.node_classes(), [](const platform::NodeClass& node) {
        return node.kind == platform::NodeKind::kMemoryNode ||
               node.kind == platform::NodeKind::kHostSocket;
      });
  if (!platform.shift_symmetric || has_store || mesh.shards() != platform.device_count()) {
    return false;
  }
  const bool ideal = options.endpoint.executor == comm::Executor::kIdeal;
  if (mesh.stages() > 1 && !(platform.exchange_symmetric && ideal)) {
    return false;
  }
  return std::ranges::all_of(exchanges, [&](const ExchangeChoice& exchange) {
    if (exchange.key.kind.op == comm::Op::kSendReceive) {
      return platform.exchange_symmetric;
    }
    return comm::folds_by_statement(exchange.request, exchange.choice.algorithm);
  });
}

}  // namespace cairn::lower
