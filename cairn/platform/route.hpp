// Routes: the links that a message between two nodes crosses, and their latency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cairn/platform/platform.hpp"
#include "cairn/platform/shortest_paths.hpp"

namespace cairn::platform {

struct Hop {
  Id<Link> link;
  double share = 1.0;  // fraction of the message on this link (below 1 only with multi-path), or
                       // on each of Link::members
};

struct Route {
  std::vector<Hop> hops;
  Seconds latency;  // of the links; the longest path where there are several

  // A store-and-forward node: bytes buffered, and the bandwidth of its outgoing link.
  struct Stop {
    Bytes stored;
    BytesPerSecond onward;
  };

  std::vector<Stop> stops;

  // latency + sum over stops of min(message, stored) / onward.
  [[nodiscard]] Seconds latency_for(Bytes message) const;
};

// Finds routes on one platform; caches multi-path routes already requested.
class Router {
 public:
  // `platform` must outlive this.
  explicit Router(const Platform& platform) : platform_(&platform) {}

  [[nodiscard]] const Platform& platform() const { return *platform_; }

  // Precondition: `to` can be reached from `from` (read_platform rejects others; see
  // connected.hpp). Same node: no hops. Valid until the next call.
  const Route& route(Id<Node> from, Id<Node> to);

  // One step around the ring that dimension `dim` forms through `device`: to the device whose
  // coordinate is one higher (up) or lower, wrapping round. Where a dimension of two connects the
  // same pair by two cables, up and down use different ones.
  const Route& ring_step(std::uint32_t device, std::size_t dim, bool up);

 private:
  // The links from one to the other at the cost of one hop, lowest id first. If there are any, they
  // are the shortest paths, and no distances are needed.
  std::span<const Id<Link>> one_hop(Id<Node> from, Id<Node> to);

  // From a node with a single cable through the node at its other end, if a single cable connects
  // that node to `to`: then there is no other shortest path, and it becomes latest_. Single cables
  // are not merged ones.
  bool goes_over_only_neighbour(Id<Node> from, Id<Node> to);
  Route shortest(Id<Node> from, Id<Node> to);
  const ShortestPaths& find_paths(Id<Node> from, Id<Node> to);
  const Route& multipath(Id<Node> from, Id<Node> to);
  Route find_multipath(Id<Node> from, Id<Node> to);

  const Platform* platform_;
  std::optional<ShortestPaths> paths_{};  // made when first needed
  // Links out of a node at the cost of one hop, by neighbour; filled on demand.
  std::vector<std::optional<std::vector<Id<Link>>>> by_neighbour_;
  std::vector<std::uint32_t> slot_of_;              // scratch space of find_multipath(), by node
  std::unordered_map<std::uint64_t, Route> split_;  // multi-path routes by both ends; bounded
  std::size_t hops_kept_ = 0;                       // in split_
  Route latest_;                                    // if it is not cached
};

// The route that follows explicit links, each carrying the whole message.
Route along(const Platform& platform, std::span<const Id<Link>> links);

}  // namespace cairn::platform
