// An engine beside a device's links that executes collectives out of memory of its own (ACE:
// Rashidi et al., ISCA 2021).
#pragma once

#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct EnginePart {
  std::string name{};
  double count = 1.0;
  SquareMetres area{};  // of one
  Watts power{};        // of one
};

const Schema<EnginePart>& schema_of(const EnginePart*);

struct CollectivesEngine {
  std::vector<EnginePart> parts{};

  [[nodiscard]] SquareMetres area() const;
  [[nodiscard]] Watts power() const;
};

const Schema<CollectivesEngine>& schema_of(const CollectivesEngine*);

}  // namespace cairn::chip
