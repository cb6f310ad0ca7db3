// A device: what one accelerator can do, whichever platform it sits on.
#pragma once

#include <optional>
#include <string>

#include "cairn/base/config.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

// A spatial array of processing elements (PEs), each with MACs and a local SRAM that is filled
// while it is worked from (double-buffered).
struct ComputeArray {
  double pes = 1024.0;
  double macs_per_pe = 125.0;
  Hertz frequency{1e9};
  Bytes sram_per_pe{32.0 * 1024};
  // Instead of mapping shapes onto the array: this part of the MACs always works.
  std::optional<double> utilization{};

  [[nodiscard]] double lanes() const { return pes * macs_per_pe; }

  [[nodiscard]] double macs_per_second() const { return lanes() * frequency.si(); }
};

const Schema<ComputeArray>& schema_of(const ComputeArray*);

struct DeviceMemory {
  Bytes capacity{};
  BytesPerSecond bandwidth{};
  Seconds latency{0.0};
};

const Schema<DeviceMemory>& schema_of(const DeviceMemory*);

struct Device {
  std::string name{};
  std::string description{};
  std::string source{};
  ComputeArray array{};
  DeviceMemory memory{};
  Watts power{0.0};  // thermal design power
};

const Schema<Device>& schema_of(const Device*);

// A device's name (NAME.yaml in one of the folders), a file, or a map.
Device read_device(const Config& config, const Folders& folders);
Device read_device(const std::string& text, const Folders& folders, const Where& where);

}  // namespace cairn::chip
