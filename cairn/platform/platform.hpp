// A platform: the graph, how devices are numbered, how messages are routed, and which rings it
// offers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/platform/graph.hpp"
#include "cairn/platform/protocol.hpp"

namespace cairn::platform {

// Routing of a message between two nodes; always deterministic.
enum class Routing : std::uint8_t {
  kShortest,          // fewest hops (sum of LinkClass::cost); ties by the lowest link id
  kDimensionOrdered,  // corrects coordinate 0 first, then 1, ...; the shorter way round, ties go up
  kMultipath,         // over all shortest paths, split evenly at every node (ECMP)
};

std::string_view to_text(Routing routing);

// Position of a device: `coordinate` along one dimension of `width` devices, `stride` ranks apart
// (see Platform::dims).
struct DimensionPlace {
  std::uint32_t coordinate = 0;
  std::uint32_t stride = 1;
  std::uint32_t width = 1;

  // The device with coordinate `other` instead, given the rank of this one.
  [[nodiscard]] std::uint32_t rank_at(std::uint32_t rank, std::uint32_t other) const {
    return rank - coordinate * stride + other * stride;
  }
};

DimensionPlace place_in(const std::vector<std::uint32_t>& dims,
                        std::uint32_t rank,
                        std::size_t dim);

// Permutations of the coordinates along a dimension that map the platform and its routes onto
// themselves, for all other coordinates equal.
enum class Interchange : std::uint8_t {
  kNone,      // none known; always safe
  kTogether,  // any, if it is the same for all devices
  kEach,      // any, also a different one for each combination of coordinates in later dimensions
};

// A closed walk: links[i] ends where links[i+1] begins, the last where the first begins. It passes
// every device exactly once; other nodes on it only forward.
struct Ring {
  std::vector<Id<Link>> links;

  // True on a shift-symmetric platform of one dimension if device c is followed by device c + 1 and
  // every shift maps the ring onto itself. False is always safe.
  bool shift_symmetric = false;

  bool operator==(const Ring&) const = default;
};

struct Platform {
  std::string name;
  std::string topology{};  // topology name, e.g. "torus"
  Graph graph;

  // Devices have coordinates: rank = c0 + dims[0] * (c1 + dims[1] * (c2 + ...)). The product of
  // dims is the number of devices. Hierarchical collectives go dimension by dimension.
  std::vector<std::uint32_t> dims;

  // True if adding a constant to coordinate d of every device (modulo dims[d]) maps the platform
  // and its routes onto themselves, for every d, in such a way that nodes and links keep their
  // class and every class is one orbit: any member can be shifted onto any other. Then one device
  // stands for all of them (folding). False is always safe.
  bool shift_symmetric = false;

  // True if the same holds for every swap of two devices: all have identical connections to the
  // same non-device nodes. Then all groups of devices of one size are equivalent.
  bool exchange_symmetric = false;

  std::vector<Interchange> interchange;  // by dimension; empty: none

  Routing routing = Routing::kShortest;

  // Edge-disjoint rings over all devices. Each also works in the opposite direction.
  std::vector<Ring> rings;

  // Communication protocols of the devices' software; none: messages run at link speed. Islands
  // keep theirs when they are connected to others.
  std::vector<Protocol> protocols;

  Watts system_power{0.0};  // excluding devices and memory-nodes: host, fans, supplies

  [[nodiscard]] std::uint32_t device_count() const {
    return static_cast<std::uint32_t>(graph.devices().size());
  }

  bool operator==(const Platform&) const = default;
};

// Maximum over devices of the total bandwidth of their outgoing links.
BytesPerSecond max_egress_bandwidth(const Platform& platform);

// Thermal design power of everything but the devices: the rest of the system and the memory-nodes.
Watts power_without_devices(const Platform& platform);

}  // namespace cairn::platform
