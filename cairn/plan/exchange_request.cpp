#include "cairn/plan/exchange_request.hpp"

namespace cairn::plan {

namespace {

std::vector<comm::Group> transfers(const ExchangeKind& kind, const Mesh& mesh) {
  const std::uint32_t count = mesh.shards_of_stage();
  std::vector<comm::Group> pairs;
  pairs.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    pairs.push_back({kind.stage * count + i, kind.to_stage * count + i});
  }
  return pairs;
}

}  // namespace

comm::Request request_of(const ExchangeKind& kind,
                         Bytes size,
                         const Mesh& mesh,
                         const comm::GroupLayout& all) {
  return {.collective = {.op = kind.op, .size = size},
          .all = &all,
          .groups = kind.op == comm::Op::kSendReceive ? transfers(kind, mesh)
                                                      : mesh.groups(kind.axes, kind.stage)};
}

}  // namespace cairn::plan
