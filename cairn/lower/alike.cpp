#include "cairn/lower/alike.hpp"

#include <algorithm>

#include "cairn/comm/estimate.hpp"
#include "cairn/comm/protocol.hpp"

namespace cairn::lower {

const comm::Algorithm* choose_algorithm(const MachineOptions& options,
                                        comm::Op op,
                                        const std::vector<comm::Layout>& groups) {
  const auto can = [&](const comm::Algorithm* algorithm) {
    return std::ranges::all_of(
        groups, [&](const comm::Layout& group) { return algorithm->supports(op, group); });
  };
  if (!options.algorithm.empty()) {
    const comm::Algorithm* algorithm = comm::find_algorithm(options.algorithm);
    ensure(algorithm != nullptr, "an algorithm that is not known");
    return can(algorithm) ? algorithm : op == comm::Op::kAllToAll ? &comm::kDirect : nullptr;
  }
  for (const comm::Algorithm* algorithm : {&comm::kRings, &comm::kRing, &comm::kDirect}) {
    if (can(algorithm)) {
      return algorithm;
    }
  }
  return nullptr;
}

const platform::Protocol* choose_protocol(const comm::Collective& collective,
                                          const std::vector<comm::Layout>& groups,
                                          const comm::Algorithm& algorithm) {
  const auto protocols = comm::protocols_for(collective.op, groups, algorithm.name);
  if (protocols.size() < 2) {
    return protocols.empty() ? nullptr : protocols.front();
  }
  comm::Layout alone = groups.front();
  alone.first_position_only = false;
  const comm::Schedule schedule = algorithm.schedule(
      {.op = collective.op, .size = collective.size, .group = alone.members}, alone);
  return *std::ranges::min_element(protocols, {}, [&](const platform::Protocol* protocol) {
    return comm::estimate(schedule, alone, protocol).time(collective.size);
  });
}

bool all_alike(const platform::Platform& platform,
               const plan::Mesh& mesh,
               const plan::Placement& placement,
               std::span<const CollectiveKey> collectives,
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
  const comm::Layout all = comm::make_layout(platform, {});
  const bool in_order = platform.exchange_symmetric || std::ranges::is_sorted(placement);
  return std::ranges::all_of(collectives, [&](const CollectiveKey& key) {
    if (key.kind.op == comm::Op::kSendReceive) {
      return platform.exchange_symmetric;
    }
    if (key.kind.axes != plan::kWholeStage && !platform.exchange_symmetric) {
      return false;
    }
    const comm::Algorithm* algorithm = choose_algorithm(options, key.kind.op, {all});
    return algorithm != nullptr && (in_order || algorithm->by_dimension) &&
           algorithm->shift_invariant(key.kind.op, all);
  });
}

}  // namespace cairn::lower
