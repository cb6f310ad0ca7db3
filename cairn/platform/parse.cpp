#include "cairn/platform/parse.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "cairn/base/named_file.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/platform/connected.hpp"
#include "cairn/platform/find_rings.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/shared_keys.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn::platform {

namespace {

const Topology& topology_of(const Config& config) {
  const Config* name = config.find("topology");
  if (name == nullptr) {
    reject(config, "has no topology (expected e.g. \"topology: ring\")");
  }
  const std::string& text = scalar_text(*name, "the name of a topology");
  const Topology* found = find_topology(text);
  if (found == nullptr) {
    reject(*name, "is not a topology (" + suggestion(text, topology_names()) + ")");
  }
  return *found;
}

// Overrides the topology's routing; its declared symmetry does not hold for another routing.
void change_routing(Platform& platform, Routing routing, const Config& config) {
  if (routing == platform.routing) {
    return;
  }
  if (routing == Routing::kDimensionOrdered) {
    topology::reject_key(config, "routing", "needs a ring, a torus or a mesh");
  }
  platform.routing = routing;
  platform.shift_symmetric = platform.exchange_symmetric = false;
  mark_symmetric_rings(platform);
}

void limit_injection(Graph& graph, BytesPerSecond limit) {
  for (std::size_t c = 0; c < graph.node_classes().size(); ++c) {
    if (graph.node_classes()[c].kind == NodeKind::kDevice) {
      graph.set_injection(Id<NodeClass>(c), limit);
    }
  }
}

// Puts the platform's own protocols before those of its islands.
void add_protocols(Platform& platform, std::vector<Protocol> protocols, const Config& config) {
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    protocols[i].where = config.find("protocols")->items[i].where;
  }
  platform.protocols.insert(platform.protocols.begin(), protocols.begin(), protocols.end());
}

Platform from_map(const Config& config, const SearchPath& presets) {
  const Topology& topology = topology_of(config);
  check_keys(config, std::string(topology.name), topology.parameters());
  const PlatformMap map = split_keys(config);
  const auto shared = read_config<SharedKeys>(map.shared);
  Platform platform = topology.make(map.parameters, presets);
  platform.topology = std::string(topology.name);
  platform.name = shared.name.value_or(platform.topology);
  if (shared.injection) {
    limit_injection(platform.graph, *shared.injection);
  }
  platform.graph.scale_bandwidth(shared.link_efficiency);
  platform.system_power = shared.system_power.value_or(platform.system_power);
  add_protocols(platform, shared.protocols, config);
  if (shared.routing) {
    change_routing(platform, *shared.routing, config);
  }
  if (const auto apart = find_disconnected(platform.graph)) {
    reject(config,
           "leaves " + platform.graph.name(apart->second) + " unreachable from " +
               platform.graph.name(apart->first));
  }
  if (platform.rings.empty()) {
    platform.rings = find_rings(platform);
  }
  ensure(!fault_of_rings(platform), "a topology declares invalid rings");
  return platform;
}

// TOPOLOGY:... or TOPOLOGY@..., as opposed to a name or a path.
bool looks_inline(const std::string& text) {
  const std::size_t end = text.find_first_of(":@/.\\");
  return end != std::string::npos && end > 0 && (text[end] == ':' || text[end] == '@');
}

PlatformSource from_file(const std::filesystem::path& file,
                         const std::string& name,
                         const SearchPath& presets,
                         const Where& where) {
  PlatformSource source{.config = {}, .name = name, .presets = presets};
  std::vector<std::filesystem::path>& being_read = source.presets.being_read;
  std::error_code unnamed;  // standard input as a pipe has no path
  const auto path = std::filesystem::weakly_canonical(file, unnamed);
  being_read.push_back(unnamed ? file : path);
  if (std::ranges::count(being_read, being_read.back()) > 1) {
    throw ConfigError(where, in_quotes(file.string()) + " includes itself");
  }
  source.config = load_config(file);
  if (source.config.kind != Config::Kind::kMap) {
    reject(source.config, "is not a platform (expected a map with the key \"topology\")");
  }
  return source;
}

PlatformSource from_preset(const std::string& name, const SearchPath& presets, const Where& where) {
  const auto files = files_by_name(presets);
  if (const auto found = files.find(name); found != files.end()) {
    return from_file(found->second, name, presets, where);
  }
  if (const Topology* topology = find_topology(name)) {
    throw ConfigError(where,
                      "\"" + name + "\" is a topology without its parameters (expected e.g. \"" +
                          name + (topology->inline_dims.empty() ? "" : ":8") + "@25GB/s,500ns\")");
  }
  throw ConfigError(where,
                    "\"" + name + "\" is not a platform (" + suggested_file(name, presets) + ")");
}

}  // namespace

PlatformSource platform_source(const std::string& text,
                               const SearchPath& presets,
                               const Where& where) {
  if (text.empty()) {
    throw ConfigError(where, "is empty (expected e.g. \"ring:8@25GB/s,500ns\")");
  }
  if (looks_inline(text)) {
    return {.config = parse_inline(text, where), .name = text, .presets = presets};
  }
  if (looks_like_path(text)) {
    const std::filesystem::path file = beside(where, text);
    return from_file(file, file.stem().string(), presets, where);
  }
  return from_preset(text, presets, where);
}

Platform read_platform(const std::string& text, const SearchPath& presets, const Where& where) {
  const PlatformSource source = platform_source(text, presets, where);
  Platform platform = from_map(source.config, source.presets);
  if (source.config.find("name") == nullptr) {
    platform.name = source.name;
  }
  return platform;
}

Platform read_platform(const Config& config, const SearchPath& presets) {
  if (config.kind == Config::Kind::kMap) {
    return from_map(config, presets);
  }
  return read_platform(scalar_text(config, "a platform (a name or a map)"), presets, config.where);
}

Size platform_size(const Config& config, const SearchPath& presets) {
  if (config.kind == Config::Kind::kMap) {
    const Topology& topology = topology_of(config);
    check_keys(config, std::string(topology.name), topology.parameters());
    return topology.size(split_keys(config).parameters, presets);
  }
  const PlatformSource source =
      platform_source(scalar_text(config, "a platform (a name or a map)"), presets, config.where);
  return platform_size(source.config, source.presets);
}

}  // namespace cairn::platform
