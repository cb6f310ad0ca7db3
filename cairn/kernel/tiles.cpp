#include "cairn/kernel/tiles.hpp"

#include <limits>

#include "cairn/base/must_have.hpp"

namespace cairn::kernel {

namespace {

std::vector<Side> sides_of(double length, double step, double longest, const chip::Tiles& tiles) {
  std::vector<Side> sides;
  if (tiles.sides.empty()) {
    for_each_side(length, step, std::max(step, longest), [&](double side, double cuts) {
      sides.push_back({side, cuts});
    });
    std::ranges::reverse(sides);
    return sides;
  }
  for (const double side : tiles.sides) {
    sides.push_back({side, parts(length, side)});
  }
  std::ranges::sort(sides, std::ranges::greater{}, &Side::length);
  const auto duplicates = std::ranges::unique(sides, {}, &Side::length);
  sides.erase(duplicates.begin(), duplicates.end());
  return sides;
}

}  // namespace

TileSpace::TileSpace(const Work& work,
                     const chip::Device& device,
                     const MatrixUnit& unit,
                     std::size_t core_levels)
    : device_(device),
      contraction_(must_have(work.contraction, "a contraction")),
      core_levels_(core_levels),
      element_(work.element().si()),
      capacity_(core_levels == 0 ? std::numeric_limits<double>::infinity()
                                 : device.capacity_of_core().si()),
      accumulators_(device.tiles.accumulators ? device.tiles.accumulators->si() : capacity_),
      sums_(kAccumulatorBytes * contraction_.m * contraction_.n * contraction_.count) {
  const double longest = accumulators_ / kAccumulatorBytes;
  rows_ = sides_of(contraction_.m, unit.row_step(), longest, device.tiles);
  columns_ = sides_of(contraction_.n, unit.column_step(), longest, device.tiles);
}

double TileSpace::widest(double rows) const {
  return std::min(widest_that_fits(rows, element_, capacity_),
                  std::max(accumulators_ / (kAccumulatorBytes * rows), rows == 1.0 ? 1.0 : 0.0));
}

}  // namespace cairn::kernel
