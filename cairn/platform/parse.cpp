#include "cairn/platform/parse.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>

#include "cairn/base/nearest.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/platform/connected.hpp"
#include "cairn/platform/find_rings.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn {

template <>
struct EnumNames<platform::Routing> {
  static constexpr std::array<EnumName<platform::Routing>, 3> kNames{{
      {platform::Routing::kShortest, "shortest"},
      {platform::Routing::kDimensionOrdered, "dimension_ordered"},
      {platform::Routing::kMultipath, "multipath"},
  }};
};

}  // namespace cairn

namespace cairn::platform {

namespace {

constexpr std::array<std::string_view, 6> kSharedKeys{
    "topology", "name", "description", "source", "injection", "routing"};

bool is_shared(const std::string& key) {
  return std::ranges::find(kSharedKeys, key) != kSharedKeys.end();
}

Config without_shared_keys(const Config& config) {
  Config rest = config;
  rest.keys.clear();
  rest.items.clear();
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (!is_shared(config.keys[i])) {
      rest.keys.push_back(config.keys[i]);
      rest.items.push_back(config.items[i]);
    }
  }
  return rest;
}

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

// Another routing than the topology's own: its symmetry was stated for that one only.
void change_routing(Platform& platform, const Config& config) {
  const auto routing = read_config<Routing>(config);
  if (routing == platform.routing) {
    return;
  }
  if (routing == Routing::kDimensionOrdered) {
    reject(config, "routing needs a ring, a torus or a mesh");
  }
  platform.routing = routing;
  platform.shift_symmetric = false;
  mark_symmetric_rings(platform);
}

Platform from_map(const Config& config, const SearchPath& presets) {
  const Topology& topology = topology_of(config);
  Platform platform = topology.make(without_shared_keys(config), presets);
  platform.name = topology.name;
  if (const Config* name = config.find("name")) {
    platform.name = scalar_text(*name, "a name");
  }
  if (const Config* injection = config.find("injection")) {
    const auto limit = read_config<BytesPerSecond>(*injection);
    if (limit <= BytesPerSecond(0.0)) {
      reject(*injection, "is not above 0 B/s");
    }
    for (std::size_t c = 0; c < platform.graph.node_classes().size(); ++c) {
      if (platform.graph.node_classes()[c].kind == NodeKind::kDevice) {
        platform.graph.set_injection(Id<NodeClass>(c), limit);
      }
    }
  }
  if (const Config* routing = config.find("routing")) {
    change_routing(platform, *routing);
  }
  if (const auto apart = find_disconnected(platform.graph)) {
    reject(config,
           "leaves " + platform.graph.name(apart->second) + " out of reach of " +
               platform.graph.name(apart->first));
  }
  if (platform.rings.empty()) {
    platform.rings = find_rings(platform);
  }
  ensure(!fault_of_rings(platform), "a topology states rings that are none");
  return platform;
}

// TOPOLOGY:... or TOPOLOGY@..., as opposed to a name or a path.
bool looks_inline(const std::string& text) {
  const std::size_t end = text.find_first_of(":@/.\\");
  return end != std::string::npos && end > 0 && (text[end] == ':' || text[end] == '@');
}

bool looks_like_path(const std::string& text) {
  const auto ends_with = [&](std::string_view end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  return text.find('/') != std::string::npos || ends_with(".yaml") || ends_with(".yml");
}

PlatformSource from_file(const std::filesystem::path& file,
                         const std::string& name,
                         const SearchPath& presets,
                         const Where& where) {
  PlatformSource source{.config = {}, .name = name, .presets = presets};
  std::vector<std::filesystem::path>& being_read = source.presets.being_read;
  being_read.push_back(std::filesystem::weakly_canonical(file));
  if (std::ranges::count(being_read, being_read.back()) > 1) {
    throw ConfigError(where, in_quotes(file.string()) + " is made of itself");
  }
  source.config = load_config(file);
  if (source.config.kind != Config::Kind::kMap) {
    reject(source.config, "is not a platform (expected a map with the key \"topology\")");
  }
  return source;
}

// Files NAME.yaml of all directories; the first directory wins.
std::map<std::string, std::filesystem::path> preset_files(const SearchPath& presets) {
  std::map<std::string, std::filesystem::path> files;
  for (const auto& directory : presets) {
    std::error_code ignored;  // a directory that is not there holds no presets
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
      if (entry.path().extension() == ".yaml") {
        files.emplace(entry.path().stem().string(), entry.path());
      }
    }
  }
  return files;
}

PlatformSource from_preset(const std::string& name, const SearchPath& presets, const Where& where) {
  const auto files = preset_files(presets);
  if (const auto found = files.find(name); found != files.end()) {
    return from_file(found->second, name, presets, where);
  }
  if (const Topology* topology = find_topology(name)) {
    throw ConfigError(where,
                      "\"" + name + "\" is a topology without its parameters (expected e.g. \"" +
                          name + (topology->inline_dims.empty() ? "" : ":8") + "@25GB/s,500ns\")");
  }
  std::vector<std::string> known;
  known.reserve(files.size());
  for (const auto& [preset, file] : files) {
    known.push_back(preset);
  }
  throw ConfigError(where, "\"" + name + "\" is not a platform (" + suggestion(name, known) + ")");
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
    return from_file(text, std::filesystem::path(text).stem().string(), presets, where);
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
  return read_platform(scalar_text(config, "a platform (a text or a map)"), presets, config.where);
}

std::vector<Preset> list_presets(const SearchPath& presets) {
  std::vector<Preset> list;
  for (const auto& [name, file] : preset_files(presets)) {
    const Config config = load_config(file);
    const Config* description =
        config.kind == Config::Kind::kMap ? config.find("description") : nullptr;
    list.push_back({name, description == nullptr ? "" : scalar_text(*description, "a text"), file});
  }
  return list;
}

}  // namespace cairn::platform
