#include "cairn/kernel/core_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/kernel/least_sum.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

using chip::Level;
using chip::Scope;

}  // namespace

double widest_that_fits(double rows, double element, double capacity) {
  const double slices = 2.0 * kSliceSteps * element;
  const double columns =
      std::floor((capacity - slices * rows) / (kAccumulatorBytes * rows + slices));
  return std::max(rows == 1.0 ? 1.0 : 0.0, columns);
}

double square_that_fits(double element, double capacity) {
  const double slices = 2.0 * kSliceSteps * element;
  const double side =
      (std::sqrt(slices * slices + kAccumulatorBytes * capacity) - slices) / kAccumulatorBytes;
  return std::max(1.0, side);
}

std::optional<Cut> best_cut(
    const CutTile& tile, double parts_of_level, double element, double capacity, double max_reads) {
  const double needed = std::min(parts_of_level, tile.rows * tile.columns);
  // The fewest parts across that fit; non-increasing in `down`.
  const auto across = [&](double down) {
    const double widest = widest_that_fits(parts(tile.rows, down), element, capacity);
    const double fewest = std::max(parts(tile.columns, widest), parts(needed, down));
    return widest < 1.0 || fewest > tile.columns ? kInfinite : fewest;
  };
  const LeastSum least = least_sum(
      1.0,
      tile.rows,
      [&](double down) { return tile.right * down; },
      [&](double down) { return tile.left * across(down); },
      max_reads);
  return std::isinf(least.sum) ? std::nullopt : std::optional(Cut{least.at, across(least.at)});
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
    ++count_;
  }
}

double CoreLevels::min_reads(std::size_t level, double macs, double element) const {
  return 2.0 * macs / square_that_fits(element, inside_[level].capacity) * kBelowRounding;
}

CoreLevels::Elements CoreLevels::elements(const CutTile& tile,
                                          const Outputs& outputs,
                                          double macs,
                                          double element,
                                          const Elements* max_elements) const {
  Elements moved{};
  CutTile now = tile;
  Outputs mean = outputs;
  double filled = tile.left + tile.right;  // from outside into level i
  for (std::size_t i = count_; i-- > 1;) {
    const double may_read = max_elements == nullptr ? kInfinite : (*max_elements)[i] - filled;
    const auto cut = best_cut(now, inside_[i].parts, element, inside_[i].capacity, may_read);
    if (!cut) {
      moved[i] = kInfinite;
      return moved;
    }
    now = {.rows = parts(now.rows, cut->down),
           .columns = parts(now.columns, cut->across),
           .left = now.left * cut->across,
           .right = now.right * cut->down};
    mean.rows /= cut->down;
    mean.columns /= cut->across;
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
