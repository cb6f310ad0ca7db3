// A device whose costs can be reckoned by hand.
#pragma once

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// 1,024 PEs of 125 MACs at 1 GHz with 32 KiB each, and 900 GB/s of memory.
inline chip::Device small_array() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes(16e9), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

}  // namespace cairn::kernel
