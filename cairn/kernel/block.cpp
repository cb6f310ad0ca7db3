#include "cairn/kernel/block.hpp"

#include "cairn/kernel/least_sum.hpp"

namespace cairn::kernel {

Block best_block(const Work& work, double down, double across, double most, Bytes at_most) {
  const auto columns = [&](double rows) { return std::min(across, std::floor(most / rows)); };
  const LeastSum least = least_sum(
      1.0,
      std::min(down, most),
      [&](double side) { return work.left.si() * parts(across, columns(side)); },
      [&](double side) { return work.right.si() * parts(down, side); },
      (at_most - work.other).si() / kBelowRounding);
  return std::isinf(least.sum) ? Block{.bytes = Bytes::infinity()}
                               : block_of(work, down, across, most, least.at);
}

Bytes fewest_of_blocks(const Work& work, double down, double across, double most) {
  const double left = work.left.si();
  const double right = work.right.si();
  return Bytes(std::max(left + right, 2.0 * std::sqrt(left * across * right * down / most))) +
         work.other;
}

}  // namespace cairn::kernel
