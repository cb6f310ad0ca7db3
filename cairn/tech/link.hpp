// A link between dies of a package or between packages, per wire (Table 2 of the CrossFlow paper,
// "Network").
#pragma once

#include <optional>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/supply.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

struct Link {
  std::string description{};
  std::string source{};
  BytesPerSecond rate{};        // of one link, one direction, at nominal voltage
  JoulesPerByte energy{};       // at nominal voltage
  SquareMetres area{};          // on the die, for one link
  PerMetre links_per_length{};  // per length of the die's edge
  Supply voltage{};
  Seconds latency{};
  double utilization = 1.0;       // part of the rate left by headers and encoding
  std::optional<Dollars> cost{};  // of one link
};

const Schema<Link>& schema_of(const Link*);

}  // namespace cairn::tech
