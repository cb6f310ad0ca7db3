#include "cairn/kernel/windows.hpp"

#include "cairn/kernel/sides.hpp"
#include "cairn/kernel/unaligned.hpp"

namespace cairn::kernel {

Work as_run(Work work, const chip::Device& device) {
  if (work.windows == Windows::kNone || !work.contraction || !device.tiles.window_slice ||
      is_unaligned(work, device)) {
    return work;
  }
  model::Contraction& c = *work.contraction;
  const double slice = *device.tiles.window_slice;
  const auto padded = [&](double channels) { return parts(channels, slice) * slice; };
  if (work.windows == Windows::kForward) {
    c.k = c.taps * padded(c.k / c.taps);
  } else if (work.windows == Windows::kData) {
    c.n = c.n / c.taps;
    c.k = c.taps * padded(c.k);
  }
  return work;
}

}  // namespace cairn::kernel
