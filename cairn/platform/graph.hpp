// The system graph: nodes connected by links, as vectors and indices.
//
// A cable connects two nodes and is two links, one per direction, created together: the links 2k
// and 2k+1. Several cables may connect the same pair. Properties that nodes or links share
// (bandwidth, latency, limits) are stored in their class, so a class can be changed without
// touching the graph, and a topology declares its symmetry by the classes it assigns (see
// Platform::shift_symmetric).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::platform {

enum class NodeKind : std::uint8_t { kDevice, kMemoryNode, kSwitch, kHostSocket, kPcieSwitch };

inline constexpr std::size_t kNodeKinds = 5;

// "device", "memory-node", "switch", "host socket", "PCIe switch".
std::string_view to_text(NodeKind kind);

// Memory of a memory-node or a host socket. It is split into equal groups; a device that stores
// data there has a group to itself (Kwon and Rhu, MICRO 2018, Fig. 6), unless there is only one,
// which all devices share.
struct NodeMemory {
  BytesPerSecond bandwidth = BytesPerSecond::infinity();  // reads and writes, all groups
  Bytes capacity = Bytes::infinity();                     // all groups
  Seconds latency{0.0};
  std::uint32_t groups = 1;
  Watts power{0.0};  // all groups

  bool operator==(const NodeMemory&) const = default;
};

struct NodeClass {
  NodeKind kind = NodeKind::kDevice;
  std::string name;
  // Limit on the total rate at which a node sends over all its links, and on the rate it receives.
  BytesPerSecond injection = BytesPerSecond::infinity();
  // A forwarding node buffers this much of a message before sending it on (0: cut-through). It
  // adds min(message, store_and_forward) / bandwidth of the outgoing link to the route's latency.
  Bytes store_and_forward{0.0};
  NodeMemory memory{};      // memory-nodes and host sockets only
  std::uint32_t count = 0;  // number of nodes of this class

  bool operator==(const NodeClass&) const = default;
};

struct LinkClass {
  std::string name;
  BytesPerSecond bandwidth;
  Seconds latency;
  // Cost in hops for shortest-path routing. A cost above 1 keeps traffic off these links while
  // another path exists (see dragonfly, hc_dla).
  std::uint32_t cost = 1;
  std::uint32_t count = 0;  // number of links of this class, each direction counted

  bool operator==(const LinkClass&) const = default;
};

struct Node {
  Id<NodeClass> node_class;
  std::uint32_t ordinal = 0;  // position among the nodes of its kind: "device 3"
  std::uint32_t members = 1;  // equal nodes that it represents (merge_switches.hpp)

  bool operator==(const Node&) const = default;
};

struct Link {
  Id<Node> from;
  Id<Node> to;
  Id<LinkClass> link_class;
  std::uint32_t members = 1;  // equal links that it represents; each carries the same

  bool operator==(const Link&) const = default;
};

// The other direction of the same cable.
constexpr Id<Link> reverse(Id<Link> link) {
  return Id<Link>(link.value ^ 1U);
}

class Graph {
 public:
  Id<NodeClass> add_node_class(NodeClass node_class);
  Id<LinkClass> add_link_class(LinkClass link_class);
  Id<Node> add_node(Id<NodeClass> node_class, std::uint32_t members = 1);

  // Adds the two links a->b and b->a and returns the first. The directions may differ in class.
  Id<Link> add_cable(Id<Node> a,
                     Id<Node> b,
                     Id<LinkClass> a_to_b,
                     Id<LinkClass> b_to_a,
                     std::uint32_t members = 1);

  Id<Link> add_cable(Id<Node> a, Id<Node> b, Id<LinkClass> both) {
    return add_cable(a, b, both, both);
  }

  // Reserves storage for this many nodes and cables, so that large platforms are not reallocated.
  void reserve(std::size_t nodes, std::size_t cables);

  // Call once after the last cable: builds the index behind links_out().
  void index_links();

  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }

  [[nodiscard]] std::span<const Link> links() const { return links_; }

  [[nodiscard]] std::span<const NodeClass> node_classes() const { return node_classes_; }

  [[nodiscard]] std::span<const LinkClass> link_classes() const { return link_classes_; }

  [[nodiscard]] const Node& node(Id<Node> id) const { return nodes_[id.index()]; }

  [[nodiscard]] const Link& link(Id<Link> id) const { return links_[id.index()]; }

  [[nodiscard]] const NodeClass& class_of(Id<Node> id) const {
    return node_classes_[nodes_[id.index()].node_class.index()];
  }

  [[nodiscard]] const LinkClass& class_of(Id<Link> id) const {
    return link_classes_[links_[id.index()].link_class.index()];
  }

  // Multiplies the bandwidth of all links.
  void scale_bandwidth(double factor);

  // Changes the injection limit of a class in place.
  void set_injection(Id<NodeClass> node_class, BytesPerSecond limit);

  // Links that leave `node`, in order of creation.
  [[nodiscard]] std::span<const Id<Link>> links_out(Id<Node> node) const;

  // The devices in rank order: device r is node devices()[r].
  [[nodiscard]] std::span<const Id<Node>> devices() const { return devices_; }

  // "device 3", or the name a user's YAML gave it.
  [[nodiscard]] std::string name(Id<Node> node) const;
  void set_name(Id<Node> node, std::string name);

  bool operator==(const Graph&) const = default;

 private:
  std::vector<NodeClass> node_classes_;
  std::vector<LinkClass> link_classes_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<Id<Node>> devices_;
  std::array<std::uint32_t, kNodeKinds> count_of_kind_{};
  std::vector<std::uint32_t> first_out_;  // CSR over out_
  std::vector<Id<Link>> out_;
  std::vector<std::string> names_;  // empty unless set_name was used
};

}  // namespace cairn::platform
