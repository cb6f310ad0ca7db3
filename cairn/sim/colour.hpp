// Colours for partition refinement: members with the same neighbours get the same colour, round by
// round, until no class is split any more.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::sim {

using Colour = std::uint64_t;

// SplitMix64's finalizer: equal colours stay equal, different ones become unrelated.
inline Colour mix(Colour x) {
  x ^= x >> 30U;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27U;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

inline Colour mix(Colour a, Colour b) {
  return mix(a * 0x9e3779b97f4a7c15ULL + b + 1);
}

inline Colour mix_value(Colour a, double b) {
  return mix(a, std::bit_cast<Colour>(b));
}

// Counts by hashing; colours are hashes already. The table grows with their number, which is small
// where folding succeeds.
inline std::size_t distinct(const std::vector<Colour>& colours) {
  std::vector<Colour> slots(1024, 0);
  bool zero = false;  // an empty slot
  std::size_t count = 0;
  const auto insert = [&slots](Colour colour) {
    std::size_t slot = colour & (slots.size() - 1);
    while (slots[slot] != 0 && slots[slot] != colour) {
      slot = (slot + 1) & (slots.size() - 1);
    }
    return std::exchange(slots[slot], colour) == 0;
  };
  for (const Colour colour : colours) {
    if (colour == 0) {
      zero = true;
    } else if (insert(colour) && 2 * ++count > slots.size()) {
      const std::vector<Colour> before =
          std::exchange(slots, std::vector<Colour>(4 * slots.size(), 0));
      for (const Colour known : before) {
        if (known != 0) {
          insert(known);
        }
      }
    }
  }
  return count + (zero ? 1U : 0U);
}

}  // namespace cairn::sim
