// Keys common to all platforms, besides the parameters of the topology.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::platform {

struct SharedKeys {
  std::string topology;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> source;
  std::optional<BytesPerSecond> injection;
  double link_efficiency = 1.0;
  std::optional<Routing> routing;
  std::optional<Watts> system_power;
  std::vector<Protocol> protocols;
};

const Schema<SharedKeys>& schema_of(const SharedKeys*);

// A platform's map, split into common and topology keys.
struct PlatformMap {
  Config shared;
  Config parameters;  // all other keys
};

PlatformMap split_keys(const Config& config);

}  // namespace cairn::platform

template <>
struct cairn::EnumNames<cairn::platform::Routing> {
  using Routing = cairn::platform::Routing;
  static constexpr std::array<EnumName<Routing>, 3> kNames{{
      {Routing::kShortest, "shortest"},
      {Routing::kDimensionOrdered, "dimension_ordered"},
      {Routing::kMultipath, "multipath"},
  }};
};
