// Key figures of a platform: node counts, rings, diameter, bisection.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

struct Bisection {
  // Minimum bandwidth, per direction, of the links between two halves of the devices. With an odd
  // number of devices one half has one more.
  BytesPerSecond bandwidth;
  std::string method;  // exact or bound, and the halves tried
};

// A "link" here is a cable: both its directions together.
struct Facts {
  std::array<std::uint32_t, kNodeKinds> nodes{};  // by NodeKind
  std::uint32_t links = 0;
  std::optional<std::uint32_t> idle_links;  // see count_idle_cables; only where there are rings
  std::vector<std::uint32_t> ring_hops;     // per ring
  std::optional<std::uint32_t> diameter;    // maximum hops on shortest paths between devices
  std::optional<Bisection> bisection;
  std::optional<BytesPerSecond>
      device_to_memory;  // minimum over devices, per direction, direct links
  Bytes memory;          // simulator memory for the graph
};

// Diameter and bisection are absent where finding them would take too long.
Facts facts_of(const Platform& platform);

// Exact for up to 16 devices, by trying all halves. Beyond, the minimum of the cuts across the
// middle of each dimension: the bisection for tori and meshes whose longest dimension is even, an
// upper bound in general.
std::optional<Bisection> bisection_of(const Platform& platform);

std::optional<std::uint32_t> diameter_of(const Platform& platform);

}  // namespace cairn::platform
