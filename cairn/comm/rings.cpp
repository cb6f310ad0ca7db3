// Every edge-disjoint ring of the platform, in both directions at once; each takes a share of
// the payload in proportion to its bandwidth b_r (that of its slowest link).
//
//   all-reduce:  max over rings of 2(n-1)(l_r + S w_r / (n b_r)),   w_r = b_r / (2 sum of b)
#include <algorithm>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/ring_order.hpp"

namespace cairn::comm {

namespace {

const char* unsupported(Op op, const GroupLayout& layout) {
  if (!is_all_reduce_or_half(op)) {
    return kNotImplemented;
  }
  return layout.whole && !layout.platform->rings.empty()
             ? nullptr
             : "needs all devices of a platform with rings, in rank order";
}

bool shift_invariant(Op /*op*/, const GroupLayout& layout) {
  return symmetric_group(layout) &&
         std::ranges::all_of(layout.platform->rings, &platform::Ring::shift_symmetric);
}

BytesPerSecond slowest_link(const platform::Graph& graph,
                            const platform::Ring& ring,
                            bool one_piece) {
  BytesPerSecond slowest = BytesPerSecond::infinity();
  for (const Id<platform::Link> link : ring.links) {
    slowest = std::min({slowest,
                        graph.class_of(link).bandwidth,
                        graph.class_of(platform::reverse(link)).bandwidth});
    if (one_piece && graph.link(link).to == graph.devices()[1]) {
      break;  // further pieces are copies of the one from device 0 to device 1
    }
  }
  return slowest;
}

CollectiveSchedule make_schedule(const Collective& collective, const GroupLayout& layout) {
  const platform::Platform& platform = *layout.platform;
  BytesPerSecond total;
  std::vector<BytesPerSecond> bandwidth;
  for (const platform::Ring& ring : platform.rings) {
    bandwidth.push_back(slowest_link(platform.graph, ring, layout.first_position_only));
    total += bandwidth.back();
  }
  CollectiveSchedule schedule;
  for (std::size_t r = 0; r < platform.rings.size(); ++r) {
    for (const bool forward : {true, false}) {
      add_ring_part(schedule,
                    bandwidth[r] / (2.0 * total),
                    ring_steps(layout, platform.rings[r], forward),
                    collective.op,
                    layout.positions - 1,
                    1.0 / layout.positions);
    }
  }
  return schedule;
}

double messages(Op /*op*/, const GroupLayout& layout) {
  return 4.0 * layout.positions * static_cast<double>(layout.platform->rings.size());
}

}  // namespace

constexpr Algorithm kRings{.name = "rings",
                           .doc = "all edge-disjoint rings of the platform, both directions",
                           .unsupported = unsupported,
                           .shift_invariant = shift_invariant,
                           .schedule = make_schedule,
                           .messages = messages};

}  // namespace cairn::comm
