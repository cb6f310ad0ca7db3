// A device whose costs can be computed by hand.
#pragma once

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// 1,024 PEs of 125 MACs and 32 KiB each at 1 GHz, and 900 GB/s of main memory.
inline chip::Device small_array() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes(16e9), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

}  // namespace cairn::kernel
