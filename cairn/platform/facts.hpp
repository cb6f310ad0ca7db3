// What a platform is made of, in numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

struct Bisection {
  // Least bandwidth, one direction, of links between two halves of the devices. With an odd number
  // one half has a device more.
  BytesPerSecond bandwidth;
  std::string method;  // whether it is exact, and over which halves
};

// A "link" here is a cable: both its directions together.
struct Facts {
  std::array<std::uint32_t, kNodeKinds> nodes{};  // by NodeKind
  std::uint32_t links = 0;
  std::optional<std::uint32_t> idle_links;  // see count_idle_cables; only where there are rings
  std::vector<std::uint32_t> ring_hops;     // of each ring
  std::optional<std::uint32_t> diameter;    // most links between two devices on shortest paths
  std::optional<Bisection> bisection;
  std::optional<BytesPerSecond>
      device_to_memory;  // least over devices, one direction, direct links
  Bytes memory;          // what the graph takes in this program
};

// Diameter and bisection are absent where finding them would take too long.
Facts facts_of(const Platform& platform);

// Exact for up to 16 devices, by trying all halves. Beyond, the least of the cuts across the middle
// of each dimension: for tori and meshes whose longest dimension is even this is the bisection; in
// general an upper bound.
std::optional<Bisection> bisection_of(const Platform& platform);

std::optional<std::uint32_t> diameter_of(const Platform& platform);

}  // namespace cairn::platform
