// The topologies Cairn knows, in one table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform {

// Directories that hold NAME.yaml for a preset NAME, first match wins.
struct SearchPath : std::vector<std::filesystem::path> {
  using std::vector<std::filesystem::path>::vector;

  std::vector<std::filesystem::path> being_read;  // files that include the one being read
};

struct Topology {
  std::string_view name;
  std::string_view doc;
  // Keys that DIMS sets in TOPOLOGY:DIMS@..., separated by " x "; "dims..." takes all numbers.
  // Empty: no DIMS.
  std::string_view inline_dims;
  // All keys: the topology's own parameters, then the keys common to all platforms.
  std::vector<Parameter> (*parameters)();
  // `parameters` is a map without the common keys. The search path is for topologies composed of
  // other platforms.
  Platform (*make)(const Config& parameters, const SearchPath& presets);
  // Size of the platform before it is built; too large for a mesh (cables), too small for a graph.
  Size (*size)(const Config& parameters, const SearchPath& presets);
};

// Keys, types, defaults and docs of its parameters, as a table.
std::string reference_text(const Topology& topology);

std::span<const Topology> topologies();

// nullptr for an unknown name.
const Topology* find_topology(std::string_view name);

std::vector<std::string> topology_names();

}  // namespace cairn::platform
