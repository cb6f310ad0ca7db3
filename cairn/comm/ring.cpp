// One ring, one direction.
//
//   reduce-scatter, all-gather:  n-1 steps of S/n to the next device        (n-1)(l + S/(nB))
//   all-reduce:                  reduce-scatter, then all-gather            2(n-1)(l + S/(nB))
//   broadcast, reduce:           a chain in chunks of m bytes    (n-1)(l + m/B) + (S-m)/B
//
// (Patarasuk & Yuan, "Bandwidth optimal all-reduce algorithms", JPDC 2009.)
#include <algorithm>

#include "cairn/base/failure.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/ring_order.hpp"

namespace cairn::comm {

namespace {

bool uses_platform_ring(const GroupLayout& layout) {
  return layout.whole && !layout.platform->rings.empty();
}

std::vector<RingStep> first_ring(const GroupLayout& layout) {
  return uses_platform_ring(layout) ? ring_steps(layout, layout.platform->rings.front(), true)
                                    : routed_ring_steps(layout);
}

bool is_chain(Op op) {
  return op == Op::kBroadcast || op == Op::kReduce;
}

const char* unsupported(Op op, const GroupLayout& /*layout*/) {
  return is_all_reduce_or_half(op) || is_chain(op) ? nullptr : kNotImplemented;
}

bool shift_invariant(Op op, const GroupLayout& layout) {
  if (is_chain(op) || !symmetric_group(layout)) {
    return false;
  }
  return uses_platform_ring(layout) ? layout.platform->rings.front().shift_symmetric
                                    : layout.grid.size() == 1;
}

// The chain that starts at the root (broadcast) or ends there (reduce): one hop per phase.
CollectiveSchedule chain(const Collective& collective, std::vector<RingStep> ring) {
  const bool towards_root = collective.op == Op::kReduce;
  const auto at_root = std::ranges::find_if(ring, [&](const RingStep& step) {
    return (towards_root ? step.to : step.from) == collective.root;
  });
  ensure(at_root != ring.end(), "ring does not pass the root");
  std::ranges::rotate(ring, towards_root ? at_root + 1 : at_root);
  const std::size_t first = towards_root ? 1 : 0;  // the step that closes the ring is left out
  CollectiveSchedule schedule;
  Part part;
  for (std::size_t i = first; i < first + ring.size() - 1; ++i) {
    part.begin_phase(1, towards_root ? 1 : 0);
    Message message{.from = ring[i].from, .to = ring[i].to, .share = 1.0};
    if (!ring[i].links.empty()) {
      message.path = {.kind = Path::Kind::kLinks,
                      .index = static_cast<std::uint32_t>(schedule.links.size())};
      schedule.links.push_back(ring[i].links);
    }
    part.send(message);
  }
  schedule.parts.push_back(std::move(part));
  return schedule;
}

CollectiveSchedule make_schedule(const Collective& collective, const GroupLayout& layout) {
  const std::vector<RingStep> ring = first_ring(layout);
  if (is_chain(collective.op)) {
    return chain(collective, ring);
  }
  CollectiveSchedule schedule;
  add_ring_part(schedule, 1.0, ring, collective.op, layout.positions - 1, 1.0 / layout.positions);
  return schedule;
}

std::uint32_t chunks(const Collective& collective, const GroupLayout& /*layout*/) {
  return is_chain(collective.op) ? pipeline_chunks(collective.size, 256) : 1;
}

double messages(Op /*op*/, const GroupLayout& layout) {
  return 2.0 * layout.positions;
}

}  // namespace

constexpr Algorithm kRing{.name = "ring",
                          .doc = "one ring, one direction",
                          .unsupported = unsupported,
                          .shift_invariant = shift_invariant,
                          .schedule = make_schedule,
                          .messages = messages,
                          .chunks = chunks};

}  // namespace cairn::comm
