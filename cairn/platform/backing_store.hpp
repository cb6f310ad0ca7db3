// Where a device keeps what does not fit into its own memory, and how it gets there.
//
// A device that has links to memory-nodes keeps its pages there; one that shares switches with
// memory-nodes, on those; any other in the memory of the host socket that is nearest by the
// platform's routes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/platform/platform.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::platform {

// How pages are spread over several memory-nodes (Kwon and Rhu, MICRO 2018, Fig. 10).
enum class Placement : std::uint8_t {
  kLocal,           // all on one memory-node, the one with the most bandwidth to the device
  kBandwidthAware,  // over all, in proportion to bandwidth
};

struct StorePart {
  Id<Node> node{};
  std::uint32_t group = 0;  // of the node's memory
  double share = 1.0;       // of the pages
  Route out{};              // from the device, for its share of the bytes
  Route in{};               // back

  // Of the group of the node's memory that is the device's.
  BytesPerSecond bandwidth = BytesPerSecond::infinity();
  Bytes capacity = Bytes::infinity();
  Seconds latency{0.0};  // until the first byte that is read
};

// Empty if the platform has neither memory-nodes near the device nor a host socket.
std::vector<StorePart> backing_store(const Platform& platform,
                                     std::uint32_t device,
                                     Placement placement);

}  // namespace cairn::platform
