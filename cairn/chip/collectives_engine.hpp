// An engine beside a device's links that executes collectives out of memory of its own (ACE:
// Rashidi et al., ISCA 2021).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

// How the engine's memory and state machines are divided over the phases of a collective: in
// proportion to what, for memory times what a chunk takes of it in the phase.
enum class EngineSplit : std::uint8_t {
  kHeuristic,  // bandwidth of the phase's links times what a chunk takes, as the paper says
  kTime,       // how long a chunk takes in the phase when alone
  kEqual,      // all phases get the same
};

// Which collective sends its next chunk in, of those with the highest priority.
enum class EngineOrder : std::uint8_t { kFifo, kLifo };

struct CollectivesEngine {
  std::optional<Bytes> sram{};    // absent: never a limit
  std::optional<double> fsms{};   // state machines, each works on one chunk; likewise
  std::optional<double> alus{};   // likewise
  Bytes per_alu{64.0};            // received bytes that an ALU adds up in a cycle
  Bytes chunk{65536.0};           // what passes the engine's memory as a whole
  std::optional<Bytes> packet{};  // that devices on the way store before they send it on
  EngineSplit split = EngineSplit::kHeuristic;
  EngineOrder order = EngineOrder::kLifo;
  std::vector<EnginePart> parts{};

  [[nodiscard]] SquareMetres area() const;
  [[nodiscard]] Watts power() const;
};

const Schema<CollectivesEngine>& schema_of(const CollectivesEngine*);

}  // namespace cairn::chip

template <>
struct cairn::EnumNames<cairn::chip::EngineSplit> {
  using E = chip::EngineSplit;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kHeuristic, "heuristic"}, {E::kTime, "time"}, {E::kEqual, "equal"}}};
};

template <>
struct cairn::EnumNames<cairn::chip::EngineOrder> {
  using E = chip::EngineOrder;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kFifo, "fifo"}, {E::kLifo, "lifo"}}};
};
