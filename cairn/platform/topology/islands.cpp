#include "cairn/platform/topology/islands.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cairn/platform/grid_rings.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

namespace {

// The classes of one part in the whole. The devices of `between` are the islands' own.
struct Classes {
  std::vector<Id<NodeClass>> node;
  std::vector<Id<LinkClass>> link;
};

Classes copy_classes(const Graph& part, const std::string& prefix, bool devices_too, Graph& whole) {
  Classes classes;
  for (NodeClass copy : part.node_classes()) {
    copy.name.insert(0, prefix);
    classes.node.push_back(copy.kind == NodeKind::kDevice && !devices_too
                               ? Id<NodeClass>()
                               : whole.add_node_class(std::move(copy)));
  }
  for (LinkClass copy : part.link_classes()) {
    copy.name.insert(0, prefix);
    classes.link.push_back(whole.add_link_class(std::move(copy)));
  }
  return classes;
}

// Copies the cables of `part` to the corresponding nodes of `whole`.
void copy_cables(const Graph& part,
                 const std::vector<Id<Node>>& stands_for,
                 const Classes& classes,
                 Graph& whole) {
  for (std::size_t l = 0; l < part.links().size(); l += 2) {
    const Link& forth = part.links()[l];
    const Link& back = part.links()[l + 1];
    whole.add_cable(stands_for[forth.from.index()],
                    stands_for[forth.to.index()],
                    classes.link[forth.link_class.index()],
                    classes.link[back.link_class.index()]);
  }
}

// Copies the nodes of `part` that are not devices; entries of devices stay unset.
void copy_other_nodes(const Graph& part,
                      const Classes& classes,
                      Graph& whole,
                      std::vector<Id<Node>>& stands_for) {
  for (std::size_t n = 0; n < part.nodes().size(); ++n) {
    if (part.class_of(Id<Node>(n)).kind != NodeKind::kDevice) {
      stands_for[n] = whole.add_node(classes.node[part.nodes()[n].node_class.index()]);
    }
  }
}

// Each device of `between` is an island; each device of an island has its own copy of the rest of
// `between`.
Size size_of_joined(const Size& island, const Size& between) {
  return {
      .devices = island.devices * between.devices,
      .nodes = island.nodes * between.devices + (between.nodes - between.devices) * island.devices,
      .cables = island.cables * between.devices + between.cables * island.devices};
}

// Rails are copies of each other, so that devices of all islands can be interchanged together;
// islands can be interchanged where `between` allows it.
std::vector<Interchange> interchange_of(const Platform& island, const Platform& between) {
  std::vector<Interchange> result(island.dims.size() + between.dims.size(), Interchange::kNone);
  for (std::size_t dim = 0; dim < island.interchange.size(); ++dim) {
    const bool none = island.interchange[dim] == Interchange::kNone;
    result[dim] = none ? Interchange::kNone : Interchange::kTogether;
  }
  std::ranges::copy(between.interchange,
                    result.begin() + static_cast<std::ptrdiff_t>(island.dims.size()));
  return result;
}

bool is_grid(const Platform& platform) {
  return platform.routing == Routing::kDimensionOrdered;
}

}  // namespace

const Schema<Islands>& schema_of(const Islands*) {
  static const auto kSchema =
      Schema<Islands>("islands", "islands of one platform connected by another, rail by rail")
          .required("island", &Islands::island, "a platform: text or map", "switch:8@450GB/s,500ns")
          .required("between",
                    &Islands::between,
                    "a platform: text or map; each of its devices stands for an island",
                    "fat_tree:32x4@50GB/s,1us");
  return kSchema;
}

Size size_of_islands(const Config& parameters, const SearchPath& presets) {
  const Islands islands = schema_of(static_cast<const Islands*>(nullptr)).read(parameters);
  return size_of_joined(platform_size(islands.island, presets),
                        platform_size(islands.between, presets));
}

Platform make_islands(const Config& parameters, const SearchPath& presets) {
  check_size(parameters, "between", size_of_islands(parameters, presets));
  const Islands islands = schema_of(static_cast<const Islands*>(nullptr)).read(parameters);
  return join_islands(
      read_platform(islands.island, presets), read_platform(islands.between, presets), parameters);
}

Platform join_islands(const Platform& island, const Platform& between, const Config& source) {
  const std::uint32_t count = between.device_count();
  check_size(source, "between", size_of_joined(size_of(island.graph), size_of(between.graph)));
  Platform platform;
  Graph& graph = platform.graph;
  platform.system_power = count * island.system_power + between.system_power;
  platform.dims = island.dims;
  platform.dims.insert(platform.dims.end(), between.dims.begin(), between.dims.end());
  const bool grid = is_grid(island) && is_grid(between);
  platform.routing = grid ? Routing::kDimensionOrdered : Routing::kMultipath;
  platform.shift_symmetric = island.shift_symmetric && between.shift_symmetric;
  platform.interchange = interchange_of(island, between);
  for (Protocol protocol : island.protocols) {
    protocol.island = protocol.island == 0 ? island.device_count() : protocol.island;
    platform.protocols.push_back(std::move(protocol));
  }

  const Classes island_classes = copy_classes(island.graph, "", true, graph);
  const Classes between_classes = copy_classes(between.graph, "between ", false, graph);
  std::vector<std::vector<Id<Node>>> in_island(count);
  for (auto& stands_for : in_island) {
    stands_for.resize(island.graph.nodes().size());
    for (const Id<Node> device : island.graph.devices()) {
      stands_for[device.index()] = graph.add_node(island.graph.node(device).node_class);
    }
  }
  for (auto& stands_for : in_island) {
    copy_other_nodes(island.graph, island_classes, graph, stands_for);
    copy_cables(island.graph, stands_for, island_classes, graph);
  }
  for (const Id<Node> device : island.graph.devices()) {
    std::vector<Id<Node>> on_rail(between.graph.nodes().size());
    for (std::uint32_t i = 0; i < count; ++i) {
      on_rail[between.graph.devices()[i].index()] = in_island[i][device.index()];
    }
    copy_other_nodes(between.graph, between_classes, graph, on_rail);
    copy_cables(between.graph, on_rail, between_classes, graph);
  }
  graph.index_links();
  if (platform.routing == Routing::kDimensionOrdered) {
    platform.rings = platform.shift_symmetric ? rings_of_torus(platform) : rings_of_mesh(platform);
  }
  return platform;
}

}  // namespace cairn::platform::topology
