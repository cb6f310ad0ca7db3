#include "cairn/kernel/block.hpp"

#include "cairn/kernel/least_sum.hpp"

namespace cairn::kernel {

Block best_block(const Work& work, double down, double across, double in_flight, Bytes at_most) {
  const auto columns = [&](double rows) { return std::min(across, std::floor(in_flight / rows)); };
  const LeastSum least = least_sum(
      1.0,
      std::min(down, in_flight),
      [&](double side) { return work.left.si() * parts(across, columns(side)); },
      [&](double side) { return work.right.si() * parts(down, side); },
      (at_most - work.other).si() / kBelowRounding);
  return std::isinf(least.sum) ? Block{.bytes = Bytes::infinity()}
                               : block_of(work, down, across, in_flight, least.at);
}

Bytes min_block_bytes(const Work& work, double down, double across, double in_flight) {
  const double left = work.left.si();
  const double right = work.right.si();
  return Bytes(std::max(left + right, 2.0 * std::sqrt(left * across * right * down / in_flight))) +
         work.other;
}

}  // namespace cairn::kernel
