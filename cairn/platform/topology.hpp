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

  std::vector<std::filesystem::path> being_read;  // files around the one that is read now
};

struct Topology {
  std::string_view name;
  std::string_view doc;
  // What DIMS stands for in TOPOLOGY:DIMS@..., as keys separated by " x "; "dims..." takes them
  // all. Empty: DIMS is not written.
  std::string_view inline_dims;
  // All its keys: its own parameters, then those that every platform has.
  std::vector<Parameter> (*parameters)();
  // `parameters` is a map without the keys that every platform has. The search path is for
  // topologies made of others.
  Platform (*make)(const Config& parameters, const SearchPath& presets);
  // Of what it makes, known before: a mesh has fewer cables, a graph more.
  Size (*size)(const Config& parameters, const SearchPath& presets);
};

// Keys, types, defaults and docs of its parameters, as a table.
std::string reference_text(const Topology& topology);

std::span<const Topology> topologies();

// nullptr for an unknown name.
const Topology* find_topology(std::string_view name);

std::vector<std::string> topology_names();

}  // namespace cairn::platform
