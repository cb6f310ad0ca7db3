#include "cairn/platform/topology/given_graph.hpp"

#include <map>

#include "cairn/base/nearest.hpp"
#include "cairn/platform/connected.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

// Entry `index` of the list under `key`, for error messages.
const Config& entry(const Config& source, std::string_view key, std::size_t index) {
  const Config* list = source.find(key);
  ensure(list != nullptr, "a graph whose source lacks a list it was read from");
  return list->kind == Config::Kind::kList ? list->items[index] : *list;
}

// A name in the graph and in Members, with the map node and list that store it.
constexpr Bytes kPerName{256.0};

// Names of nodes and of groups, with their members in order.
using Members = std::map<std::string, std::vector<Id<Node>>>;

void add_name(Members& members,
              const std::string& name,
              std::vector<Id<Node>> nodes,
              const Config& at) {
  if (!members.emplace(name, std::move(nodes)).second) {
    reject_key(at, "name", "\"" + name + "\" is the name of another node or group");
  }
}

// Rejects a memory_node key without effect.
void check_memory_nodes(const GivenGraph& parameters, const Config& source) {
  bool default_is_used = false;
  for (std::size_t g = 0; g < parameters.nodes.size(); ++g) {
    const NodeGroup& group = parameters.nodes[g];
    const bool has_memory = group.kind == NodeKind::kMemoryNode;
    default_is_used = default_is_used || (has_memory && !group.memory_node);
    if (group.memory_node) {
      const Config& at = entry(source, "nodes", g);
      if (!has_memory) {
        reject_key(at, "memory_node", "applies only to nodes with \"kind: memory_node\"");
      }
      check_memory_node(*group.memory_node, at);
    }
  }
  if (parameters.memory_node) {
    if (!default_is_used) {
      reject_key(source,
                 "memory_node",
                 "has no effect: no group of nodes has \"kind: memory_node\" without a "
                 "memory_node of its own");
    }
    check_memory_node(*parameters.memory_node, source);
  }
}

NodeMemory memory_of(const NodeGroup& group, const GivenGraph& graph) {
  return group.kind == NodeKind::kMemoryNode ? platform::memory_of(group.memory_node.value_or(
                                                   graph.memory_node.value_or(MemoryNode{})))
                                             : NodeMemory{};
}

Members add_nodes(const GivenGraph& parameters, const Config& source, Graph& graph) {
  const Size size = size_of(parameters);
  check_size(source, "nodes", size, kPerName * size.nodes);
  if (size.devices == 0.0) {
    reject_key(source, "nodes", "contain no device (expected at least one)");
  }
  check_memory_nodes(parameters, source);
  Members members;
  for (std::size_t g = 0; g < parameters.nodes.size(); ++g) {
    const NodeGroup& group = parameters.nodes[g];
    const Config& at = entry(source, "nodes", g);
    if (group.name.empty()) {
      reject_key(at, "name", "is empty (expected e.g. \"gpu\")");
    }
    const auto node_class = graph.add_node_class({.kind = group.kind,
                                                  .name = group.name,
                                                  .injection = group.injection,
                                                  .store_and_forward = group.store_and_forward,
                                                  .memory = memory_of(group, parameters)});
    std::vector<Id<Node>> all;
    for (std::uint64_t i = 0; i < group.count.value_or(1); ++i) {
      const Id<Node> node = graph.add_node(node_class);
      all.push_back(node);
      graph.set_name(node, group.name + (group.count ? std::to_string(i) : ""));
      if (group.count) {
        add_name(members, graph.name(node), {node}, at);
      }
    }
    add_name(members, group.name, std::move(all), at);
  }
  return members;
}

const std::vector<Id<Node>>& find_members(const Members& members,
                                          const std::string& name,
                                          const Config& at,
                                          std::string_view key) {
  const auto found = members.find(name);
  if (found == members.end()) {
    std::vector<std::string> known;
    for (const auto& [other, nodes] : members) {
      known.push_back(other);
    }
    reject_key(at, key, "\"" + name + "\" is not a node (" + suggestion(name, known) + ")");
  }
  return found->second;
}

using Pairs = std::vector<std::pair<Id<Node>, Id<Node>>>;

Pairs all_pairs(const std::vector<Id<Node>>& from,
                const std::vector<Id<Node>>& to,
                const Config& at) {
  const double pairs = static_cast<double>(from.size()) * static_cast<double>(to.size());
  check_size(at, "from", {.cables = pairs});
  Pairs joined;
  for (const Id<Node> a : from) {
    for (const Id<Node> b : to) {
      if (&from == &to ? a < b : a != b) {
        joined.emplace_back(a, b);
      }
    }
  }
  if (joined.empty()) {
    reject_key(at, "to", "connects a node to itself");
  }
  return joined;
}

Pairs joined_pairs(const LinkGroup& group, const Members& members, const Config& at) {
  const auto& from = find_members(members, group.from, at, "from");
  if (group.join == Join::kRing) {
    if (group.to) {
      reject_key(at, "to", "cannot be combined with \"join: ring\"");
    }
    Pairs joined;
    for (std::size_t i = 0; i < from.size() && from.size() > 1; ++i) {
      joined.emplace_back(from[i], from[(i + 1) % from.size()]);
    }
    return joined;
  }
  if (!group.to) {
    reject_key(at, "to", "is missing (expected the name of a node or group)");
  }
  const auto& to = find_members(members, *group.to, at, "to");
  if (group.join == Join::kAll) {
    return all_pairs(from, to, at);
  }
  if (from.size() != to.size()) {
    reject_key(at,
               "join",
               "pairwise needs groups of equal size (found " + std::to_string(from.size()) +
                   " and " + std::to_string(to.size()) + ")");
  }
  Pairs joined;
  for (std::size_t i = 0; i < from.size(); ++i) {
    joined.emplace_back(from[i], to[i]);
  }
  return joined;
}

void add_links(const LinkGroup& group, const Members& members, const Config& at, Graph& graph) {
  const Pairs joined = joined_pairs(group, members, at);
  const double cables = static_cast<double>(joined.size()) * static_cast<double>(group.count) +
                        static_cast<double>(graph.links().size()) / 2.0;
  check_size(at, "count", {.cables = cables});
  const std::string name = group.from + "-" + group.to.value_or("ring");
  const auto forth = graph.add_link_class({name, group.bandwidth, group.latency});
  const auto back = group.bandwidth_back || group.latency_back
                        ? graph.add_link_class({name + " back",
                                                group.bandwidth_back.value_or(group.bandwidth),
                                                group.latency_back.value_or(group.latency)})
                        : forth;
  for (const auto& [a, b] : joined) {
    if (a == b) {
      reject_key(at, "to", "\"" + graph.name(a) + "\" would be connected to itself");
    }
    for (std::uint64_t i = 0; i < group.count; ++i) {
      graph.add_cable(a, b, forth, back);
    }
  }
}

void add_rings(const GivenGraph& parameters,
               const Members& members,
               const Config& source,
               Platform& platform) {
  TakenCables taken = no_cables_taken(platform.graph);
  for (std::size_t r = 0; r < parameters.rings.size(); ++r) {
    const Config& at = entry(source, "rings", r);
    std::vector<Id<Node>> stops;
    for (const std::string& name : parameters.rings[r]) {
      const auto& nodes = find_members(members, name, at, "");
      stops.insert(stops.end(), nodes.begin(), nodes.end());
    }
    auto ring = ring_through(platform.graph, stops, taken);
    if (!ring) {
      reject(at, "is not a ring: no free cable between two neighbours");
    }
    platform.rings.push_back(std::move(*ring));
    if (const auto fault = fault_of_rings(platform)) {
      reject(at, "is not a ring over all devices: " + *fault);
    }
  }
}

}  // namespace

const Schema<NodeGroup>& schema_of(const NodeGroup*) {
  static const auto kSchema =
      Schema<NodeGroup>("node", "a node, or with a count a group of identical nodes")
          .required("name", &NodeGroup::name, "name of the node or group", "gpu")
          .optional("kind", &NodeGroup::kind, "kind of node")
          .optional("count", &NodeGroup::count, "members NAME0, NAME1, ...")
          .at_least(1)
          .optional("injection",
                    &NodeGroup::injection,
                    "limit on the rate at which a node sends, and on the rate it receives")
          .positive()
          .optional("store_and_forward",
                    &NodeGroup::store_and_forward,
                    "bytes of a message that it buffers before forwarding")
          .not_negative()
          .optional("memory_node",
                    &NodeGroup::memory_node,
                    "DIMMs and groups of a memory-node of this group (default: the graph's)");
  return kSchema;
}

const Schema<LinkGroup>& schema_of(const LinkGroup*) {
  static const auto kSchema =
      Schema<LinkGroup>("link", "cables between two nodes, or the members of two groups")
          .required("from", &LinkGroup::from, "a node or group", "gpu")
          .optional("to", &LinkGroup::to, "a node or group")
          .optional("join", &LinkGroup::join, "which members are connected")
          .optional("count", &LinkGroup::count, "parallel cables")
          .at_least(1)
          .required("bandwidth", &LinkGroup::bandwidth, "from `from` to `to`", "25 GB/s")
          .positive()
          .optional(
              "bandwidth_back", &LinkGroup::bandwidth_back, "from `to` to `from`, if different")
          .positive()
          .optional("latency", &LinkGroup::latency, "from `from` to `to`")
          .not_negative()
          .optional("latency_back", &LinkGroup::latency_back, "from `to` to `from`, if different")
          .not_negative();
  return kSchema;
}

const Schema<GivenGraph>& schema_of(const GivenGraph*) {
  static const auto kSchema =
      Schema<GivenGraph>("graph", "nodes and links as given")
          .required("nodes", &GivenGraph::nodes, "groups of nodes", "[{name: gpu, count: 2}]")
          .optional("links", &GivenGraph::links, "cables between them")
          .optional("dims",
                    &GivenGraph::dims,
                    "devices per dimension; their product is the "
                    "number of devices")
          .at_least(1)
          .optional("rings", &GivenGraph::rings, "closed walks over all devices, as node names")
          .optional("memory_node", &GivenGraph::memory_node, "DIMMs and groups of a memory-node");
  return kSchema;
}

Size size_of(const GivenGraph& parameters) {
  Size size;
  for (const NodeGroup& group : parameters.nodes) {
    const auto count = static_cast<double>(group.count.value_or(1));
    size.nodes += count;
    size.devices += group.kind == NodeKind::kDevice ? count : 0.0;
  }
  return size;
}

Platform make_graph(const GivenGraph& parameters, const Config& source) {
  Platform platform;
  const Members members = add_nodes(parameters, source, platform.graph);
  for (std::size_t l = 0; l < parameters.links.size(); ++l) {
    add_links(parameters.links[l], members, entry(source, "links", l), platform.graph);
  }
  platform.graph.index_links();
  platform.dims = {platform.device_count()};
  if (!parameters.dims.empty()) {
    if (product(parameters.dims) != static_cast<double>(platform.device_count())) {
      reject_key(source,
                 "dims",
                 "do not multiply to the number of devices (expected " +
                     std::to_string(platform.device_count()) + ")");
    }
    platform.dims.assign(parameters.dims.begin(), parameters.dims.end());
  }
  if (const auto apart = find_disconnected(platform.graph)) {
    reject_key(source,
               "links",
               "leave " + platform.graph.name(apart->second) + " unreachable from " +
                   platform.graph.name(apart->first) + " (expected a path between all devices)");
  }
  add_rings(parameters, members, source, platform);
  return platform;
}

}  // namespace cairn::platform::topology
