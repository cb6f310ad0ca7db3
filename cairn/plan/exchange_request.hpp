// The communication request of an exchange: which devices, in which groups.
#pragma once

#include <cstdint>

#include "cairn/comm/request.hpp"
#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

// A collective over some axes of the mesh in all groups of a stage; or transfers from every shard
// of a stage to its counterpart in another (comm::Op::kSendReceive).
struct ExchangeKind {
  comm::Op op{};
  Axes axes{};
  std::uint32_t stage = 0;
  std::uint32_t to_stage = 0;

  auto operator<=>(const ExchangeKind&) const = default;
};

// `all`: the layout of a placement of the mesh; must outlive the result.
comm::Request request_of(const ExchangeKind& kind,
                         Bytes size,
                         const Mesh& mesh,
                         const comm::GroupLayout& all);

}  // namespace cairn::plan
