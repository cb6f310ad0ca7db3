#include "cairn/platform/topology/fat_tree.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

// Numbers of one level of switches; level 0 are the leaves.
struct Level {
  std::uint64_t below = 0;     // children per switch
  std::uint64_t above = 0;     // parents per switch; 0 at the top
  std::uint64_t copies = 1;    // switches above the same devices
  std::uint64_t subtrees = 1;  // subtrees at this level
  BytesPerSecond bandwidth;    // of each cable to a child
  Seconds latency;
};

std::vector<std::uint64_t> parents_of(const FatTree& parameters, const Config& source = {}) {
  const std::size_t above = parameters.dims.size() - 1;
  if (!parameters.parents.empty()) {
    return one_each(source, "parents", parameters.parents, above);
  }
  std::vector<std::uint64_t> parents;
  for (std::size_t l = 0; l < above; ++l) {
    const double even =
        std::round(static_cast<double>(parameters.dims[l]) / parameters.oversubscription);
    parents.push_back(static_cast<std::uint64_t>(std::clamp(even, 1.0, 1e15)));
  }
  return parents;
}

std::vector<Level> levels_of(const FatTree& parameters, const Config& source) {
  const std::size_t count = parameters.dims.size();
  const auto parents = parents_of(parameters, source);
  const auto bandwidth = one_each(source, "bandwidth", parameters.bandwidth, count);
  const auto latency = one_each(source, "latency", parameters.latency, count);
  const bool derived = parameters.bandwidth.size() == 1;
  if (!derived && parameters.oversubscription != 1.0) {
    reject_key(source,
               "oversubscription",
               "cannot be combined with a bandwidth per level, which determines it");
  }
  std::vector<Level> levels;
  for (std::size_t l = 0; l < count; ++l) {
    Level level{.below = parameters.dims[l], .bandwidth = bandwidth[l], .latency = latency[l]};
    if (l > 0) {
      Level& lower = levels.back();
      lower.above = parents[l - 1];
      level.copies = lower.copies * lower.above;
      if (derived) {
        level.bandwidth = lower.bandwidth * static_cast<double>(lower.below) /
                          (parameters.oversubscription * static_cast<double>(lower.above));
      }
    }
    levels.push_back(level);
  }
  for (std::size_t l = count - 1; l > 0; --l) {
    levels[l - 1].subtrees = levels[l].subtrees * parameters.dims[l];
  }
  return levels;
}

}  // namespace

const Schema<FatTree>& schema_of(const FatTree*) {
  static const auto kSchema =
      Schema<FatTree>("fat_tree", "a tree of switches with several parents each")
          .required("dims",
                    &FatTree::dims,
                    "devices per leaf switch, leaves per spine, ... level by level",
                    "[16, 16]")
          .at_least(1)
          .optional("parents",
                    &FatTree::parents,
                    "parents of each switch, for every level but the top (default: children / "
                    "oversubscription)")
          .at_least(1)
          .required("bandwidth",
                    &FatTree::bandwidth,
                    "link bandwidth, per direction: of a device link (the other levels follow), or "
                    "one per level",
                    "50 GB/s")
          .positive()
          .optional("latency", &FatTree::latency, "link latency: one value, or one per level")
          .not_negative()
          .optional("oversubscription",
                    &FatTree::oversubscription,
                    "bandwidth from below over bandwidth upwards of a switch, at every level")
          .positive();
  return kSchema;
}

Size size_of(const FatTree& parameters) {
  const double devices = product(parameters.dims);
  const auto parents = parents_of(parameters);
  double nodes = devices;
  double cables = devices;
  double subtrees = devices;
  double copies = 1.0;
  for (std::size_t l = 0; l < parameters.dims.size(); ++l) {
    subtrees /= static_cast<double>(parameters.dims[l]);
    nodes += subtrees * copies;
    if (l < parents.size()) {
      cables += subtrees * copies * static_cast<double>(parents[l]);
      copies *= static_cast<double>(parents[l]);
    }
  }
  return {.devices = devices, .nodes = nodes, .cables = cables};
}

Platform make_fat_tree(const FatTree& parameters, const Config& source) {
  if (parameters.dims.empty()) {
    reject_key(source, "dims", "is empty (expected e.g. \"[16, 16]\")");
  }
  check_size(source, "dims", size_of(parameters));
  const auto levels = levels_of(parameters, source);
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims.assign(parameters.dims.begin(), parameters.dims.end());
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = true;
  platform.interchange.assign(platform.dims.size(), Interchange::kEach);
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  std::vector<Id<Node>> below;  // [subtree][copy] of the level below
  const std::uint64_t devices = levels[0].subtrees * levels[0].below;
  below.reserve(devices);
  for (std::uint64_t d = 0; d < devices; ++d) {
    below.push_back(graph.add_node(device));
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Level& level = levels[l];
    const std::string name = "level " + std::to_string(l);
    const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = name});
    const auto up = graph.add_link_class({name + " up", level.bandwidth, level.latency});
    const auto down = graph.add_link_class({name + " down", level.bandwidth, level.latency});
    const std::uint64_t copies_below = l == 0 ? 1 : levels[l - 1].copies;
    const std::uint64_t ways_up = level.copies / copies_below;
    std::vector<Id<Node>> here;
    here.reserve(level.subtrees * level.copies);
    for (std::uint64_t s = 0; s < level.subtrees * level.copies; ++s) {
      here.push_back(graph.add_node(hub));
    }
    for (std::uint64_t tree = 0; tree < level.subtrees * level.below; ++tree) {
      for (std::uint64_t copy = 0; copy < copies_below; ++copy) {
        for (std::uint64_t way = 0; way < ways_up; ++way) {
          graph.add_cable(below[tree * copies_below + copy],
                          here[tree / level.below * level.copies + copy * ways_up + way],
                          up,
                          down);
        }
      }
    }
    below = std::move(here);
  }
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
