// A device: one accelerator, independent of its platform. A GPU, a generated chip and an array of
// processing elements are all described the same way: cores with matrix units, on-chip memories
// from the registers outwards, main memory, and the properties of its kernel library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/calibration.hpp"
#include "cairn/chip/cores.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/chip/energy.hpp"
#include "cairn/chip/fabric_interface.hpp"
#include "cairn/chip/host_copies.hpp"
#include "cairn/chip/level.hpp"
#include "cairn/chip/library_kernel.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/chip/tiles.hpp"

namespace cairn::chip {

struct DeviceMemory {
  Bytes capacity{};
  BytesPerSecond bandwidth{};
  Seconds latency{0.0};
  double utilization = 1.0;  // maximum fraction of the bandwidth that kernels reach
  Seconds waiting{0.0};      // queueing delay of a request at half the bandwidth

  bool operator==(const DeviceMemory&) const = default;
};

const Schema<DeviceMemory>& schema_of(const DeviceMemory*);

struct Device {
  std::string name{};
  std::string description{};
  std::string source{};
  Cores cores{};
  std::vector<Level> levels{};  // from the innermost
  DeviceMemory memory{};
  Tiles tiles{};
  std::vector<LibraryKernel> kernels{};  // overhead by operator; without an entry: none
  Seconds launch{0.0};                   // kernel launch, before the first tile starts
  Watts power{0.0};                      // thermal design power
  std::optional<SquareMetres> area{};    // of the silicon
  std::optional<HostCopies> host{};
  FabricInterface fabric{};
  // Aggregate bandwidth to other packages per direction; only for generated chips with such links.
  std::optional<BytesPerSecond> links{};
  std::optional<EnergyFigures> energy{};
  std::optional<Cost> cost{};
  std::optional<Calibration> calibration{};

  [[nodiscard]] bool computes(Precision precision) const {
    return cores.matrix.of(precision).has_value();
  }

  // Peak throughput. Throws Bug for an unsupported precision.
  [[nodiscard]] double macs_per_cycle_and_core(Precision precision) const;
  [[nodiscard]] double macs_per_second(Precision precision) const;

  // The entry of `kernels` for the operator; for a backward operator without one, that of its
  // forward operator; else one without overhead.
  [[nodiscard]] LibraryKernel library_kernel(std::optional<LibraryOperator> op) const;

  // Achievable bandwidth of a level; empty: never a limit.
  [[nodiscard]] std::optional<BytesPerSecond> bandwidth_of(const Level& level) const;

  // Capacity of the levels inside one core.
  [[nodiscard]] Bytes capacity_of_core() const;
};

// Whether every kernel takes the same time on both devices: they may differ in links, power and
// cost.
bool same_for_kernels(const Device& one, const Device& other);

const Schema<Device>& schema_of(const Device*);

// Reads a map. Throws ConfigError, also for inconsistent keys: levels out of order, two bandwidths
// for one level, no precision, energies that do not match the levels. Without keys for the shape of
// matrix units, a core has one unit that is about as wide as deep.
Device device_of(const Config& config);

// Infeasible if the device does not support the precision.
std::optional<Infeasible> check_precision(const Device& device, Precision precision);

// An array of processing elements (PEs), each with MACs and a double-buffered local SRAM. The rate
// is the same for fp32, fp16 and bf16.
Device pe_array(double pes, double macs_per_pe, Hertz frequency, Bytes sram_per_pe);

// Reference text of the keys of a device.
std::string device_reference();

}  // namespace cairn::chip
