// A memory-node: commodity DIMMs behind device-side links. Kwon and Rhu, MICRO 2018, Fig. 6,
// section III-A and Table IV.
//
//   links -> group 0: DMA engine, stage, controller, dimms / groups DIMMs -> one device
//         -> group 1: the same                                            -> another
//
// With b the bandwidth of a DIMM, c its capacity, n DIMMs, g groups, and a stage of rate r per
// group that stores a byte in 1 / q bytes, all groups together provide
//   bandwidth = min(n b q, g r)     capacity = n c q     power = n (power of a DIMM)
// Without a stage r is infinite and q = 1; encryption has q = 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/platform/graph.hpp"

namespace cairn::platform {

enum class DimmKind : std::uint8_t { kRdimm8, kRdimm16, kLrdimm32, kLrdimm64, kLrdimm128 };

struct Dimm {
  DimmKind kind;
  const char* name;
  Bytes capacity;
  Watts power;
};

// Table IV: DDR4-2400, from Samsung's data sheets and Micron's power calculator.
inline constexpr std::array kDimms{
    Dimm{DimmKind::kRdimm8, "rdimm-8", Bytes(8e9), Watts(2.9)},
    Dimm{DimmKind::kRdimm16, "rdimm-16", Bytes(16e9), Watts(6.6)},
    Dimm{DimmKind::kLrdimm32, "lrdimm-32", Bytes(32e9), Watts(8.7)},
    Dimm{DimmKind::kLrdimm64, "lrdimm-64", Bytes(64e9), Watts(10.2)},
    Dimm{DimmKind::kLrdimm128, "lrdimm-128", Bytes(128e9), Watts(12.7)}};

enum class StageKind : std::uint8_t { kCompression, kEncryption };

// Processing by an ASIC between the links and the DIMMs.
struct MemoryStage {
  StageKind kind = StageKind::kCompression;
  BytesPerSecond rate = BytesPerSecond::infinity();  // per group, in bytes on the links
  double ratio = 1.0;                                // bytes on the links per byte in the DIMMs
};

const Schema<MemoryStage>& schema_of(const MemoryStage*);

struct MemoryNode {
  DimmKind dimm = DimmKind::kLrdimm128;
  std::uint32_t dimms = 10;
  BytesPerSecond dimm_bandwidth{25.6e9};  // PC4-25600
  std::uint32_t groups = 2;
  Seconds latency{100e-9};  // Table II: 100 cycles at 1 GHz
  std::optional<MemoryStage> stage{};
};

const Schema<MemoryNode>& schema_of(const MemoryNode*);

const Dimm& dimm_of(DimmKind kind);

// The memory that devices see.
NodeMemory memory_of(const MemoryNode& node);

// Rejects an encryption stage with a compression ratio. `source` is the map with the key
// `memory_node` that it was read from.
void check_memory_node(const MemoryNode& node, const Config& source);

}  // namespace cairn::platform

template <>
struct cairn::EnumNames<cairn::platform::DimmKind> {
  static constexpr auto kNames = [] {
    std::array<EnumName<cairn::platform::DimmKind>, cairn::platform::kDimms.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = {cairn::platform::kDimms[i].kind, cairn::platform::kDimms[i].name};
    }
    return names;
  }();
};

template <>
struct cairn::EnumNames<cairn::platform::StageKind> {
  using Kind = cairn::platform::StageKind;
  static constexpr std::array<EnumName<Kind>, 2> kNames{
      {{Kind::kCompression, "compression"}, {Kind::kEncryption, "encryption"}}};
};
