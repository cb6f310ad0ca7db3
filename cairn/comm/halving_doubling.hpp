// Steps of recursive halving (reduce-scatter) and doubling (all-gather) among any number of devices
// n. In the step with distance d = 2^k a device exchanges min(d, n-d) of the n blocks (Bruck et
// al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
// TPDS 1997). For powers of two these are the volumes of recursive halving and doubling.
#pragma once

#include <cstdint>
#include <vector>

namespace cairn::comm {

struct HalvingStep {
  std::uint32_t distance = 1;
  std::uint32_t sent = 0;  // blocks
  std::uint32_t held = 0;  // blocks, before it sends them (halving) or after (doubling)
};

// Halving if it reduces: the largest distance first. Doubling otherwise: the smallest first.
std::vector<HalvingStep> halving_steps(std::uint32_t n, bool reduces);

}  // namespace cairn::comm
