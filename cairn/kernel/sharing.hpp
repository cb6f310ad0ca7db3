// A kernel beside blocks of another that stay on some of the cores and move bytes from and to main
// memory, as communication does that runs on cores: what they take from each other.
#pragma once

#include <cstdint>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// One block on each of so many cores, which are nobody else's as long as it stays.
struct Resident {
  double cores = 1.0;
  BytesPerSecond alone{};  // that all of them move together with nothing beside them
};

// What a kernel or a stream waits for that it would not wait for alone.
enum class Hindrance : std::uint8_t {
  kNone,
  kCores,   // that others have taken
  kWaves,   // of tiles on the cores that are left
  kMemory,  // longer latency, the more of its bandwidth is used
  kClock,   // which the kernel's power takes down
  kTurn,    // there is room for one only
};

// "nothing", "cores", "waves", "memory", "clock", "turn".
const char* to_text(Hindrance hindrance);

struct Slowed {
  double by = 1.0;  // infinitely: it does not run while the other does
  Hindrance most = Hindrance::kNone;
};

struct Shared {
  Slowed kernel{};
  Slowed stream{};
};

// While both run. `alone` is the kernel's time alone, as measured or as `cost` says; of `cost`
// count what bounds it and the bytes that it moves, so that beside a stream, which leaves nothing
// of others in a cache, it should be one of a kernel that finds nothing there.
//
//   kernel: (max(compute waves / waves alone, time of each memory) + the rest) / cost.time,
//           of what has no tiles the cores instead of waves; and as much longer as what it has in
//           flight brings it less than it asks for, with latency as it is then
//   stream: as much as latency has grown since it was alone, and the clock is lower
Shared share(const Work& work,
             const Cost& cost,
             Seconds alone,
             const Resident& resident,
             const chip::Device& device);

struct Ends {
  Seconds kernel{};
  Seconds stream{};
};

// Of both from their common start, where the one that is left then has the device for itself.
Ends ends_of(Seconds kernel_alone, Seconds stream_alone, const Shared& shared);

}  // namespace cairn::kernel
