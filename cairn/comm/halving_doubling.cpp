// Distances halve, then double, round the group; works for any number of devices n. In the step
// with distance d = 2^k a device exchanges min(d, n-d) of the n blocks (Bruck et al., "Efficient
// algorithms for all-to-all communications in multiport message-passing systems", TPDS 1997). For
// powers of two these are the volumes of recursive halving and doubling.
//
//   reduce-scatter, all-gather:  ceil(log2 n) l + (n-1) S / (n B)
//   all-reduce:                  2 ceil(log2 n) l + 2 (n-1) S / (n B)
#include <algorithm>
#include <bit>
#include <ranges>
#include <vector>

#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

const char* unsupported(Op op, const Layout& /*layout*/) {
  return op == Op::kAllReduce || op == Op::kReduceScatter || op == Op::kAllGather
             ? nullptr
             : kNotOfThisAlgorithm;
}

bool shift_invariant(Op /*op*/, const Layout& layout) {
  return symmetric_group(layout) && layout.grid.size() == 1;
}

// A device has min(2 d, n) blocks before it gives away min(d, n - d) of them, or after it got them.
void exchange(const Layout& layout, std::uint32_t distance, bool reduces, Part& part) {
  const std::uint32_t n = layout.positions;
  part.begin_phase(1, reduces ? 1 : 0, static_cast<double>(std::min(2 * distance, n)) / n);
  for (std::uint32_t from = 0; from < layout.senders(); ++from) {
    part.send({.from = from,
               .to = (from + (reduces ? distance : n - distance)) % n,
               .share = static_cast<double>(std::min(distance, n - distance)) / n});
  }
}

Schedule make_schedule(const Collective& collective, const Layout& layout) {
  std::vector<std::uint32_t> distances;
  for (std::uint32_t d = 1; d < layout.positions; d *= 2) {
    distances.push_back(d);
  }
  Part part;
  if (collective.op != Op::kAllGather) {
    for (const std::uint32_t d : std::views::reverse(distances)) {
      exchange(layout, d, true, part);
    }
  }
  if (collective.op != Op::kReduceScatter) {
    for (const std::uint32_t d : distances) {
      exchange(layout, d, false, part);
    }
  }
  Schedule schedule;
  schedule.parts.push_back(std::move(part));
  return schedule;
}

double messages(Op /*op*/, const Layout& layout) {
  return 2.0 * layout.positions * std::bit_width(layout.positions);
}

}  // namespace

constexpr Algorithm kHalvingDoubling{.name = "halving_doubling",
                                     .doc = "distances halve, then double; few steps, far apart",
                                     .unsupported = unsupported,
                                     .shift_invariant = shift_invariant,
                                     .schedule = make_schedule,
                                     .messages = messages,
                                     .chunks = one_chunk};

}  // namespace cairn::comm
