// A collectives engine: sits next to a device's links and executes collectives from its own SRAM
// (ACE: Rashidi et al., ISCA 2021).
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
  SquareMetres area{};  // of one part
  Watts power{};        // of one part
};

const Schema<EnginePart>& schema_of(const EnginePart*);

// How the engine's SRAM and state machines are partitioned across the phases of a collective. SRAM
// is also weighted by the bytes that a chunk occupies in the phase.
enum class EngineSplit : std::uint8_t {
  kHeuristic,  // by link bandwidth of the phase times bytes of a chunk, as in the paper
  kTime,       // by the time of a chunk in the phase without contention
  kEqual,      // the same for all phases
};

// Which collective issues its next chunk first, among those of the highest priority.
enum class EngineOrder : std::uint8_t { kFifo, kLifo };

struct CollectivesEngine {
  std::optional<Bytes> sram{};    // absent: unlimited
  std::optional<double> fsms{};   // state machines, one chunk each; absent: unlimited
  std::optional<double> alus{};   // absent: unlimited
  Bytes per_alu{64.0};            // received bytes that an ALU reduces per cycle
  Bytes chunk{65536.0};           // unit of work, held in SRAM as a whole
  std::optional<Bytes> packet{};  // store-and-forward unit of intermediate devices
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
