// The scale-out plane: system nodes of device-nodes and memory-nodes connected by device-side
// switches. Kwon and Rhu, MICRO 2018, Fig. 15, which the paper leaves as future work.
//
//   plane switch k          one per link of a node, connects switch k of all system nodes
//     | trunk               `trunks` cables' worth
//   switch k                one per link and system node
//     | link k
//   D M D M ...             device-nodes and memory-nodes, `links` links each
//
// The caption: "a given system node houses 8 nodes and each device-/memory-node is provided with
// N=3 high-bandwidth links. The device-side switch allows each of the 8 nodes to communicate with
// any of the other nodes inside the system node, enabling it to be casted into any interconnection
// topology (e.g., ... Figure 7(c))". We read:
//   - "8 nodes" as device- and memory-nodes together, four of each: the sentence goes on with
//     "each device-/memory-node", and Fig. 7(c), into which the eight can be cast, has as many of
//     one as of the other. Then a switch has 8 links down, and with 8 up it is DGX-2's NVSwitch.
//   - "the switch" as one per link, so that link k of every node is on switch k, as in DGX-2.
//   - cast into a ring: a device sends to the next one through the switches, over all its links;
//     no memory-node forwards, as none is in the way.
// The figure does not show how switches of different system nodes are connected: this is a
// parameter, the trunk. Above it an ideal switch stands for the spine.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/platform/memory_node.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// Dims are {devices, system_nodes}. Between two devices of a system node a message crosses
//   2 links and 1 switch:               2 latency + switch_latency
// and between system nodes
//   2 links, 2 trunks and 3 switches:   2 latency + 2 trunk_latency + 3 switch_latency
struct MemoryPlane {
  std::uint64_t devices = 4;  // per system node, with as many memory-nodes
  std::uint64_t system_nodes = 1;
  std::uint64_t links = 3;  // N, per device-node and memory-node
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  Seconds switch_latency{0.0};
  std::optional<std::uint64_t> trunks{};   // default: as many as links down
  std::optional<Seconds> trunk_latency{};  // default: a link's
  // 0: memory-nodes are on the switches, as devices are (Fig. 15). Otherwise this many links of a
  // device go directly to a memory-node of its own, which is on no switch.
  std::uint64_t memory_links = 0;
  MemoryNode memory_node{};
  Watts system_node_power{0.0};  // excluding devices and memory-nodes
};

const Schema<MemoryPlane>& schema_of(const MemoryPlane*);
Size size_of(const MemoryPlane& parameters);
Platform make_mc_dla_plane(const MemoryPlane& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
