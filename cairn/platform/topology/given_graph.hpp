// Any graph, written out: groups of nodes, links between nodes or groups.
//
//   topology: graph
//   nodes:
//     - {name: gpu, count: 4}                      # gpu0 .. gpu3, group gpu
//     - {name: big, count: 2, injection: 100 GB/s} # big0, big1
//     - {name: hub, kind: switch}                  # without count: a node of that name
//     - {name: mem, kind: memory_node, count: 4}
//   links:
//     - {from: gpu, to: hub, bandwidth: 25 GB/s, latency: 1 us}
//     - {from: big0, to: hub, bandwidth: 50 GB/s, bandwidth_back: 25 GB/s}
//     - {from: big, join: ring, bandwidth: 50 GB/s}
//     - {from: gpu, to: mem, join: pairwise, bandwidth: 50 GB/s}
//   memory_node: {dimm: lrdimm-64}                 # default for groups of memory-nodes
//   rings: [[gpu0, gpu1, ...]]                     # optional; searched for by default
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/memory_node.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

struct NodeGroup {
  std::string name;
  NodeKind kind = NodeKind::kDevice;
  std::optional<std::uint64_t> count;
  BytesPerSecond injection = BytesPerSecond::infinity();
  Bytes store_and_forward{0.0};
  std::optional<MemoryNode> memory_node{};  // default: the graph's
};

const Schema<NodeGroup>& schema_of(const NodeGroup*);

// Which members of two groups are connected. A single node is a group of one.
enum class Join : std::uint8_t {
  kAll,       // every member of `from` with every member of `to`; within one group every pair once
  kPairwise,  // the first with the first, the second with the second, ...
  kRing,      // the members of `from` in a circle; no `to`
};

struct LinkGroup {
  std::string from;
  std::optional<std::string> to;
  Join join = Join::kAll;
  std::uint64_t count = 1;  // cables between each two nodes
  BytesPerSecond bandwidth;
  std::optional<BytesPerSecond> bandwidth_back;
  Seconds latency{0.0};
  std::optional<Seconds> latency_back;
};

const Schema<LinkGroup>& schema_of(const LinkGroup*);

struct GivenGraph {
  std::vector<NodeGroup> nodes;
  std::vector<LinkGroup> links;
  std::vector<std::uint64_t> dims;
  std::vector<std::vector<std::string>> rings;
  std::optional<MemoryNode> memory_node{};
};

const Schema<GivenGraph>& schema_of(const GivenGraph*);
// Excludes the links, which are known only once they are built.
Size size_of(const GivenGraph& parameters);

// Devices are numbered in the order they are given. `source` must be the Config that
// `parameters` was read from. Routes are shortest; the platform declares no symmetry.
Platform make_graph(const GivenGraph& parameters, const Config& source);

}  // namespace cairn::platform::topology

template <>
struct cairn::EnumNames<cairn::platform::NodeKind> {
  using Kind = cairn::platform::NodeKind;
  static constexpr std::array<EnumName<Kind>, cairn::platform::kNodeKinds> kNames{{
      {Kind::kDevice, "device"},
      {Kind::kMemoryNode, "memory_node"},
      {Kind::kSwitch, "switch"},
      {Kind::kHostSocket, "host_socket"},
      {Kind::kPcieSwitch, "pcie_switch"},
  }};
};

template <>
struct cairn::EnumNames<cairn::platform::topology::Join> {
  using Join = cairn::platform::topology::Join;
  static constexpr std::array<EnumName<Join>, 3> kNames{
      {{Join::kAll, "all"}, {Join::kPairwise, "pairwise"}, {Join::kRing, "ring"}}};
};
