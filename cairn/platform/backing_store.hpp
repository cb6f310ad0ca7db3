// Backing store of a device: where offloaded tensors are stored, and the routes to it.
//
// A device with links to memory-nodes stores its pages there; a device that shares switches with
// memory-nodes, on those; any other device in the memory of the host socket nearest by the
// platform's routes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/platform/platform.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::platform {

// How pages are distributed over several memory-nodes (Kwon and Rhu, MICRO 2018, Fig. 10).
enum class PagePlacement : std::uint8_t {
  kLocal,           // all on one memory-node, the one with the most bandwidth to the device
  kBandwidthAware,  // on all, in proportion to bandwidth
};

struct StorePart {
  Id<Node> node{};
  std::uint32_t group = 0;  // group of the node's memory that serves this device
  double share = 1.0;       // fraction of the pages
  Route out{};              // device to node, for this share of the bytes
  Route in{};               // node to device

  // Bandwidth, capacity and latency of this device's group.
  BytesPerSecond bandwidth = BytesPerSecond::infinity();
  Bytes capacity = Bytes::infinity();
  Seconds latency{0.0};  // until the first byte of a read
};

// Empty if the platform has neither memory-nodes near the device nor a host socket.
std::vector<StorePart> backing_store(const Platform& platform,
                                     std::uint32_t device,
                                     PagePlacement placement);

}  // namespace cairn::platform
