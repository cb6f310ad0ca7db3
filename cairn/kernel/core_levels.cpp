#include "cairn/kernel/core_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

constexpr double kMostParts = 1e9;

using chip::Level;
using chip::Scope;

}  // namespace

double widest_that_fits(double rows, double element, double capacity) {
  const double slices = 2.0 * kSliceSteps * element;
  const double columns =
      std::floor((capacity - slices * rows) / (kAccumulatorBytes * rows + slices));
  return std::max(rows == 1.0 ? 1.0 : 0.0, columns);
}

Cut best_cut(const CutTile& tile, double parts_of_level, double element, double capacity) {
  const double needed = std::min(parts_of_level, tile.rows * tile.columns);
  Cut best;
  double fewest = INFINITY;
  const auto try_down = [&](double down) {
    const double widest = widest_that_fits(parts(tile.rows, down), element, capacity);
    if (widest < 1.0) {
      return;
    }
    const double across = std::max(parts(tile.columns, widest), parts(needed, down));
    const double read = tile.left * across + tile.right * down;
    if (across <= tile.columns && read < fewest) {
      fewest = read;
      best = {down, across};
    }
  };
  const auto few = static_cast<std::uint32_t>(std::min({needed, tile.rows, kMostParts}));
  for (std::uint32_t down = 1; down <= few; ++down) {
    try_down(down);
  }
  for_each_side(tile.rows, 1.0, tile.rows, [&](double, double down) {
    if (down > needed) {
      try_down(down);
    }
  });
  return best;
}

CoreLevels::CoreLevels(const chip::Device& device, const MatrixUnit& unit) : unit_(&unit) {
  for (const Level& level : device.levels) {
    if (level.scope == Scope::kGlobal) {
      break;
    }
    if (count_ > 0) {
      const Level& inner = device.levels[count_ - 1];
      const bool fans_out = inner.scope != level.scope;
      inside_[count_] = {.parts = fans_out ? device.cores.units : 1.0,
                         .capacity = inner.capacity.si()};
    }
    limited_ = limited_ || device.bandwidth_of(level).has_value();
    ++count_;
  }
}

std::array<double, chip::kMostLevels> CoreLevels::elements(const CutTile& tile,
                                                           const Outputs& outputs,
                                                           double macs,
                                                           double element) const {
  std::array<double, chip::kMostLevels> moved{};
  CutTile now = tile;
  Outputs mean = outputs;
  double filled = tile.left + tile.right;  // from outside, into the level at hand
  for (std::size_t i = count_; i-- > 1;) {
    const Cut cut = best_cut(now, inside_[i].parts, element, inside_[i].capacity);
    now = {.rows = parts(now.rows, cut.down),
           .columns = parts(now.columns, cut.across),
           .left = now.left * cut.across,
           .right = now.right * cut.down};
    mean.rows /= cut.down;
    mean.columns /= cut.across;
    const double read = now.left + now.right;
    moved[i] = filled + read;
    filled = read;
  }
  if (count_ > 0) {
    moved[0] = macs * unit_->accesses_per_mac(mean.rows, mean.columns, mean.sum);
  }
  return moved;
}

}  // namespace cairn::kernel
