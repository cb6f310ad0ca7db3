// Reads a platform from user input. A platform is written as
//
//   preset name   dgx1v              NAME.yaml in one of the preset directories
//   YAML file     my/platform.yaml   a map with the key `topology` (below)
//   inline        torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns
//
// Inline is TOPOLOGY:DIMS@BANDWIDTH,...,LATENCY,...: bandwidths first, then latencies, one of each
// or one per dimension (or level); the default latency is 0. Topology::inline_dims
// gives the meaning of DIMS.
//
// A map has `topology`, the parameters of that topology, and the keys common to all platforms (see
// shared_keys.hpp).
#pragma once

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/topology.hpp"

namespace cairn::platform {

// A platform's description, before it is built.
struct PlatformSource {
  Config config;       // a map
  std::string name;    // default name, if the map has none
  SearchPath presets;  // for nested platforms
};

PlatformSource platform_source(const std::string& text,
                               const SearchPath& presets,
                               const Where& where);

// Throws ConfigError. Errors about `text` as a whole name `where`: a flag or a key.
Platform read_platform(const std::string& text,
                       const SearchPath& presets,
                       const Where& where = {.file = "", .line = 0, .key = "--platform"});

// The same from a value in a file: text as above, or a map.
Platform read_platform(const Config& config, const SearchPath& presets);

// Its size, without building it (see Topology::size).
Size platform_size(const Config& config, const SearchPath& presets);

// Inline text as the equivalent map. Errors about a value in it name `text` and the key.
Config parse_inline(const std::string& text, const Where& where);

}  // namespace cairn::platform
