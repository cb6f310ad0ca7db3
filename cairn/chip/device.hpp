// A device: what one accelerator can do, whichever platform it sits on. A GPU, a generated chip and
// an array of processing elements are all of this kind: cores with matrix units, memories from the
// registers outwards, main memory, and what is known of the kernels that run on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/calibration.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/chip/energy.hpp"
#include "cairn/chip/fabric_interface.hpp"
#include "cairn/chip/host_copies.hpp"
#include "cairn/chip/library_kernel.hpp"
#include "cairn/chip/organization.hpp"
#include "cairn/chip/precision.hpp"

namespace cairn::chip {

// What the matrix units of one core do in a cycle, by precision; nothing where they cannot.
struct MatrixRates {
  std::optional<Flops> fp64{};
  std::optional<Flops> fp32{};
  std::optional<Flops> tf32{};
  std::optional<Flops> fp16{};
  std::optional<Flops> bf16{};
  std::optional<Flops> fp8{};
  std::optional<Flops> int8{};

  using Member = std::optional<Flops> MatrixRates::*;
  static Member member_of(Precision precision);

  [[nodiscard]] std::optional<Flops> of(Precision precision) const {
    return this->*member_of(precision);
  }

  bool operator==(const MatrixRates&) const = default;
};

const Schema<MatrixRates>& schema_of(const MatrixRates*);

struct Cores {
  double count = 1.0;
  Hertz frequency{1e9};
  double units = 1.0;    // matrix units of a core
  double rows = 1.0;     // Nx of a unit: outputs from top to bottom that it works on at a time
  double columns = 1.0;  // Ny: and from left to right
  MatrixRates matrix{};  // of one core, per cycle
  Flops vector{1.0};     // operations on single elements of one core, per cycle
  Dataflow dataflow = Dataflow::kBest;
  double utilization = 1.0;  // the most of the throughput that kernels reach
  // Part of the matrix throughput at full clock beyond which the clock falls to keep to the power
  // limit; 1: it never does.
  double sustained = 1.0;
  double groups =
      1.0;  // that the cores are in; clusters of tiles lie in one (graphics processing clusters)
  // The most that the threads of a core have asked of main memory at a time; none: as much as it
  // takes.
  std::optional<Bytes> in_flight{};
  // Instead of mapping shapes onto the units: this part of the matrix throughput is always reached.
  std::optional<double> fixed_utilization{};

  bool operator==(const Cores&) const = default;
};

const Schema<Cores>& schema_of(const Cores*);

// A memory on the chip.
struct Level {
  std::string name{};
  Scope scope = Scope::kGlobal;
  Bytes capacity{};  // of what the scope says: of one matrix unit, of one core, of the device
  // Of the whole device: one that does not depend on the clock, or bytes per cycle. Neither: it
  // never is what a kernel waits for.
  std::optional<BytesPerSecond> bandwidth{};
  std::optional<Bytes> per_cycle{};
  Seconds latency{0.0};
  double utilization = 1.0;  // the most of the bandwidth that kernels reach
  double keeps = 0.0;        // part of the capacity that still holds what the last kernel used

  bool operator==(const Level&) const = default;
};

const Schema<Level>& schema_of(const Level*);

struct DeviceMemory {
  Bytes capacity{};
  BytesPerSecond bandwidth{};
  Seconds latency{0.0};
  double utilization = 1.0;  // the most of the bandwidth that kernels reach
  Seconds waiting{0.0};      // of a request for others, when half of the bandwidth is used

  bool operator==(const DeviceMemory&) const = default;
};

const Schema<DeviceMemory>& schema_of(const DeviceMemory*);

// Kernels for matrices whose rows do not begin at whole multiples of `alignment`: cores then load
// single elements. Such a tile is a square, its sums in one part; of each slice of so many products
// its core loads both sides before it computes with them.
struct UnalignedTiles {
  Bytes alignment{16.0};
  double side = 64.0;
  double slice = 32.0;
  double at_once = 1.0;                      // the most tiles that a core works on at a time
  Bytes per_cycle{};                         // that a core loads
  std::optional<Bytes> windows_per_cycle{};  // of a convolution; none: as others
  Seconds latency{0.0};                      // of a slice, from its first load until the next one's

  bool operator==(const UnalignedTiles&) const = default;
};

const Schema<UnalignedTiles>& schema_of(const UnalignedTiles*);

// How kernels cut their outputs into tiles, as far as that is a fact of the library that they come
// from and not of the chip.
struct Tiles {
  std::vector<double> sides{};          // that exist; none: any
  std::optional<Bytes> accumulators{};  // of a core; none: all that its levels hold
  double at_once = 1.0;                 // the most tiles that a core works on at a time
  Seconds fill{0.0};                    // from a tile's start until its core computes, and after
  double splits = 1.0;                  // the most parts that a sum is cut into
  Seconds join{0.0};                    // to add these up afterwards
  double cluster = 1.0;                 // tiles that begin together, on cores of one group
  // Channels of a window's tap that are loaded together, and filled up to; none: windows are
  // unrolled.
  std::optional<double> window_slice{};
  std::optional<UnalignedTiles> unaligned{};  // none: alignment does not matter

  bool operator==(const Tiles&) const = default;
};

const Schema<Tiles>& schema_of(const Tiles*);

// The most on-chip levels that a device may have, and letters of their names.
inline constexpr std::size_t kMostLevels = 6;
inline constexpr std::size_t kLongestLevelName = 15;

struct Device {
  std::string name{};
  std::string description{};
  std::string source{};
  Cores cores{};
  std::vector<Level> levels{};  // from the innermost
  DeviceMemory memory{};
  Tiles tiles{};
  std::vector<LibraryKernel> kernels{};  // by operator; the others take what the operator asks for
  Seconds launch{0.0};                   // of a kernel, before its first tile starts
  Watts power{0.0};                      // thermal design power
  std::optional<SquareMetres> area{};    // of its silicon
  std::optional<HostCopies> host{};
  FabricInterface fabric{};
  // To other packages, all together in each direction; of a generated chip that has them.
  std::optional<BytesPerSecond> links{};
  std::optional<EnergyFigures> energy{};
  std::optional<Cost> cost{};
  std::optional<Calibration> calibration{};

  [[nodiscard]] bool computes(Precision precision) const {
    return cores.matrix.of(precision).has_value();
  }

  // At full throughput. Throws Bug for a precision that it does not compute in.
  [[nodiscard]] double macs_per_cycle_and_core(Precision precision) const;
  [[nodiscard]] double macs_per_second(Precision precision) const;

  // What is known of an operator's kernels, backward those of the forward pass if nothing else is;
  // they take what it asks for where nothing is.
  [[nodiscard]] LibraryKernel library_kernel(std::optional<LibraryOperator> op) const;

  // What kernels get of a level; nothing where it is no limit.
  [[nodiscard]] std::optional<BytesPerSecond> bandwidth_of(const Level& level) const;

  // What its levels have of capacity for one core, those of the whole device aside.
  [[nodiscard]] Bytes capacity_of_core() const;
};

// Whether all kernels take as long on the one as on the other: devices may differ in what does not
// count for them, such as links, power and cost.
bool same_for_kernels(const Device& one, const Device& other);

const Schema<Device>& schema_of(const Device*);

// Of a map. Throws ConfigError, also for what single keys do not show: levels out of order, two
// bandwidths of a level, no precision at all, energies of other levels than it has. Where nothing
// is said of matrix units, a core has one that is about as wide as deep.
Device device_of(const Config& config);

// Complains at `config`, or where the levels are written in it.
void check_levels(const std::vector<Level>& levels, const Config& config);

// Why training in this precision is impossible, if it is.
std::optional<Infeasible> lacks(const Device& device, Precision precision);

// An array of processing elements (PEs), each with MACs and a local SRAM, one half of it being
// filled while the other is used; what a MAC multiplies does not matter.
Device pe_array(double pes, double macs_per_pe, Hertz frequency, Bytes sram_per_pe);

// The keys of a device, for people.
std::string device_reference();

}  // namespace cairn::chip
