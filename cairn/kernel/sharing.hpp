// Interference between a kernel and resident thread blocks of another that occupy some cores and
// stream bytes to and from main memory, such as communication kernels.
#pragma once

#include <cstdint>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// Resident blocks, each with a core of its own.
struct Resident {
  double cores = 1.0;
  BytesPerSecond alone{};  // their aggregate rate without contention
};

// The main cause of a slowdown relative to running alone.
enum class SlowdownCause : std::uint8_t {
  kNone,
  kCores,       // fewer cores
  kWaves,       // more waves of tiles on the remaining cores
  kMemory,      // memory latency under load
  kClock,       // clock lowered by the kernel's power
  kSerialized,  // no room for both: one runs after the other
};

// "nothing", "cores", "waves", "memory", "clock", "turn".
const char* to_text(SlowdownCause cause);

struct Slowdown {
  double by = 1.0;  // infinite: it does not run while the other does
  SlowdownCause most = SlowdownCause::kNone;
};

struct Shared {
  Slowdown kernel{};
  Slowdown stream{};
};

// Slowdowns while both run. `alone` is the kernel's time alone, measured or by `cost`. Only bounds
// and traffic of `cost` are used; the stream evicts caches, so it should be that of a cold kernel.
//
//   kernel: (max(compute waves / waves alone, time of each memory) + the rest) / cost.time, with
//           cores instead of waves for kernels without tiles; times demand over the rate that its
//           bytes in flight sustain at the loaded latency
//   stream: the growth of latency, and the lower clock
Shared share(const Work& work,
             const Cost& cost,
             Seconds alone,
             const Resident& resident,
             const chip::Device& device);

struct Ends {
  Seconds kernel{};
  Seconds stream{};
};

// End times of both from a common start; the remaining one then has the device for itself.
Ends ends_of(Seconds kernel_alone, Seconds stream_alone, const Shared& shared);

}  // namespace cairn::kernel
