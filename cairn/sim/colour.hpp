// Colours for partition refinement: members with the same neighbours get the same colour, round by
// round, until no class is split any more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
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

inline std::size_t distinct(std::vector<Colour> colours) {
  std::ranges::sort(colours);
  return colours.size() - std::ranges::unique(colours).size();
}

}  // namespace cairn::sim
