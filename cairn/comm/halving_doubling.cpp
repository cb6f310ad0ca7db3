// Recursive halving, then doubling, around the group; for any number of devices n.
//
//   reduce-scatter, all-gather:  ceil(log2 n) l + (n-1) S / (n B)
//   all-reduce:                  2 ceil(log2 n) l + 2 (n-1) S / (n B)
#include "cairn/comm/halving_doubling.hpp"

#include <algorithm>
#include <bit>

#include "cairn/comm/algorithm.hpp"

namespace cairn::comm {

namespace {

const char* unsupported(Op op, const GroupLayout& /*layout*/) {
  return is_all_reduce_or_half(op) ? nullptr : kNotImplemented;
}

bool shift_invariant(Op /*op*/, const GroupLayout& layout) {
  return symmetric_group(layout) && layout.grid.size() == 1;
}

void exchange(const GroupLayout& layout, bool reduces, Part& part) {
  const std::uint32_t n = layout.positions;
  for (const HalvingStep& step : halving_steps(n, reduces)) {
    part.begin_phase(1, reduces ? 1 : 0, static_cast<double>(step.held) / n);
    for (std::uint32_t from = 0; from < layout.senders(); ++from) {
      part.send({.from = from,
                 .to = (from + (reduces ? step.distance : n - step.distance)) % n,
                 .share = static_cast<double>(step.sent) / n});
    }
  }
}

CollectiveSchedule make_schedule(const Collective& collective, const GroupLayout& layout) {
  Part part;
  if (collective.op != Op::kAllGather) {
    exchange(layout, true, part);
  }
  if (collective.op != Op::kReduceScatter) {
    exchange(layout, false, part);
  }
  CollectiveSchedule schedule;
  schedule.parts.push_back(std::move(part));
  return schedule;
}

double messages(Op /*op*/, const GroupLayout& layout) {
  return 2.0 * layout.positions * std::bit_width(layout.positions);
}

}  // namespace

std::vector<HalvingStep> halving_steps(std::uint32_t n, bool reduces) {
  std::vector<HalvingStep> steps;
  for (std::uint32_t d = 1; d < n; d *= 2) {
    steps.push_back({.distance = d, .sent = std::min(d, n - d), .held = std::min(2 * d, n)});
  }
  if (reduces) {
    std::ranges::reverse(steps);
  }
  return steps;
}

constexpr Algorithm kHalvingDoubling{.name = "halving_doubling",
                                     .doc = "recursive halving and doubling: few, distant steps",
                                     .unsupported = unsupported,
                                     .shift_invariant = shift_invariant,
                                     .schedule = make_schedule,
                                     .messages = messages};

}  // namespace cairn::comm
