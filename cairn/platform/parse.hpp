// From what a user wrote to a platform. A platform is written as
//
//   a preset's name         dgx1v                         NAME.yaml in one of the preset
//   directories a YAML file             my/platform.yaml              a map with the key `topology`
//   (below) inline                  torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns
//
// Inline is TOPOLOGY:DIMS@BANDWIDTH,...,LATENCY,...: bandwidths first, then latencies, one of each
// or one per dimension (or level); without a latency it is 0. What DIMS means is
// Topology::inline_dims.
//
// A map has `topology`, the parameters of that topology, and what every platform may say (see
// shared_keys.hpp).
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/topology.hpp"

namespace cairn::platform {

// What a text stands for, before it is built.
struct PlatformSource {
  Config config;       // a map
  std::string name;    // unless the map says another
  SearchPath presets;  // for what it is made of
};

PlatformSource platform_source(const std::string& text,
                               const SearchPath& presets,
                               const Where& where);

// Throws ConfigError. `where` is what a complaint about `text` as a whole names: a flag or a key.
Platform read_platform(const std::string& text,
                       const SearchPath& presets,
                       const Where& where = {.file = "", .line = 0, .key = "--platform"});

// The same from a value in a file: text as above, or a map.
Platform read_platform(const Config& config, const SearchPath& presets);

// Its size, without building it (see Topology::size).
Size platform_size(const Config& config, const SearchPath& presets);

// Inline text as the map it stands for. Complaints about a value in it name `text` and the key.
Config parse_inline(const std::string& text, const Where& where);

}  // namespace cairn::platform
