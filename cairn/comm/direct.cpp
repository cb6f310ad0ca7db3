// Every device sends to every other device at once, as the platform routes. B is the bandwidth of
// a device.
//
//   all-to-all, reduce-scatter, all-gather:  l + (n-1) S / (n B)
//   all-reduce:                              2l + 2(n-1) S / (n B)     reduce-scatter, all-gather
//   broadcast, reduce:                       l + (n-1) S / B           at the root
//   gather, scatter:                         l + (n-1) S / (n B)       at the root
#include <numeric>

#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

const char* unsupported(Op op, const GroupLayout& layout) {
  return op != Op::kSendReceive || layout.positions == 2 ? nullptr : "needs two devices";
}

bool shift_invariant(Op op, const GroupLayout& layout) {
  return !info(op).rooted && op != Op::kSendReceive && symmetric_group(layout);
}

// Bytes that a position sends to the one displaced by `displacement`, per byte of the collective.
double share_at(const Collective& collective, std::uint32_t displacement, std::uint32_t positions) {
  if (collective.weights.empty()) {
    return 1.0 / positions;
  }
  const double total = std::accumulate(collective.weights.begin(), collective.weights.end(), 0.0);
  return collective.weights[displacement] / total;
}

void all_to_all(const Collective& collective, const GroupLayout& layout, bool reduces, Part& part) {
  part.begin_phase(1, reduces ? 1 : 0);
  for (std::uint32_t from = 0; from < layout.senders(); ++from) {
    for (std::uint32_t displacement = 1; displacement < layout.positions; ++displacement) {
      part.send({.from = from,
                 .to = layout.shifted(from, displacement),
                 .share = share_at(collective, displacement, layout.positions)});
    }
  }
}

void to_or_from_root(const Collective& collective,
                     const GroupLayout& layout,
                     bool to_root,
                     Part& part) {
  const bool whole_buffers = collective.op == Op::kBroadcast || collective.op == Op::kReduce;
  part.begin_phase(1, collective.op == Op::kReduce ? 1 : 0);
  for (std::uint32_t other = 0; other < layout.positions; ++other) {
    if (other != collective.root) {
      part.send({.from = to_root ? other : collective.root,
                 .to = to_root ? collective.root : other,
                 .share = whole_buffers ? 1.0 : 1.0 / layout.positions});
    }
  }
}

CollectiveSchedule make_schedule(const Collective& collective, const GroupLayout& layout) {
  Part part;
  switch (collective.op) {
    case Op::kAllReduce:
      all_to_all(collective, layout, true, part);
      all_to_all(collective, layout, false, part);
      break;
    case Op::kReduceScatter:
    case Op::kAllGather:
    case Op::kAllToAll:
      all_to_all(collective, layout, collective.op == Op::kReduceScatter, part);
      break;
    case Op::kBroadcast:
    case Op::kScatter:
      to_or_from_root(collective, layout, false, part);
      break;
    case Op::kReduce:
    case Op::kGather:
      to_or_from_root(collective, layout, true, part);
      break;
    case Op::kSendReceive:
      part.begin_phase(1);
      part.send({.from = 0, .to = 1, .share = 1.0});
      break;
  }
  CollectiveSchedule schedule;
  schedule.parts.push_back(std::move(part));
  return schedule;
}

double messages(Op op, const GroupLayout& layout) {
  return info(op).rooted || op == Op::kSendReceive ? layout.positions
                                                   : 2.0 * layout.positions * layout.positions;
}

}  // namespace

constexpr Algorithm kDirect{.name = "direct",
                            .doc = "every device sends to every other device at once",
                            .unsupported = unsupported,
                            .shift_invariant = shift_invariant,
                            .schedule = make_schedule,
                            .messages = messages};

}  // namespace cairn::comm
