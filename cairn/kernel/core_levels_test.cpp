#include "cairn/kernel/core_levels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {
namespace {

// The fewest reads by brute force.
double fewest_reads(const CutTile& tile, double needed, double element, double capacity) {
  double fewest = INFINITY;
  for (double down = 1.0; down <= tile.rows; ++down) {
    const double widest = widest_that_fits(parts(tile.rows, down), element, capacity);
    for (double across = 1.0; across <= tile.columns; ++across) {
      if (parts(tile.columns, across) <= widest && down * across >= needed) {
        fewest = std::min(fewest, tile.left * across + tile.right * down);
      }
    }
  }
  return fewest;
}

RC_GTEST_PROP(BestCutProperty, HasTheFewestReadsOfAllCutsThatFit, ()) {
  const CutTile tile{.rows = 1.0 * *rc::gen::inRange(1, 200),
                     .columns = 1.0 * *rc::gen::inRange(1, 200),
                     .left = 1.0 * *rc::gen::inRange(1, 1'000'000),
                     .right = 1.0 * *rc::gen::inRange(1, 1'000'000)};
  const double needed = std::min(1.0 * *rc::gen::inRange(1, 64), tile.rows * tile.columns);
  const double element = *rc::gen::element(1.0, 2.0, 4.0);
  const double capacity = 1.0 * *rc::gen::inRange(100, 200'000);

  const double fewest = fewest_reads(tile, needed, element, capacity);
  const auto cut = best_cut(tile, needed, element, capacity);

  RC_ASSERT(cut.has_value());  // single outputs always fit
  RC_ASSERT(tile.left * cut->across + tile.right * cut->down == fewest);
  RC_ASSERT(best_cut(tile, needed, element, capacity, fewest).has_value());
  RC_ASSERT(!best_cut(tile, needed, element, capacity, fewest - 1.0).has_value());
}

RC_GTEST_PROP(SquareProperty, HasAtLeastTheOutputsOfAnyRectangleThatFits, ()) {
  const double element = *rc::gen::element(1.0, 2.0, 4.0);
  const double capacity = 1.0 * *rc::gen::inRange(100, 200'000);
  const double rows = 1.0 * *rc::gen::inRange(1, 400);

  const double side = square_that_fits(element, capacity);

  RC_ASSERT(rows * widest_that_fits(rows, element, capacity) <= side * side * (1.0 + 1e-9));
}

// Random capacities of three levels inside a core, random GEMM and tile.
RC_GTEST_PROP(CoreLevelsProperty, TrafficIsAtLeastTheLowerBound, ()) {
  const auto length = [] { return 1.0 * *rc::gen::inRange(1, 2000); };
  chip::Device device = chip::pe_array(1.0, 16.0, Hertz(1e9), Bytes(1024.0));
  device.cores.units = *rc::gen::element(1.0, 4.0, 8.0);
  device.levels.clear();
  for (const chip::Scope scope : {chip::Scope::kMcu, chip::Scope::kMcu, chip::Scope::kBundle}) {
    device.levels.push_back({.scope = scope, .capacity = Bytes(*rc::gen::inRange(64, 300'000))});
  }
  const MatrixUnit unit(device, chip::Precision::kFp16);
  const CoreLevels core(device, unit);
  const double m = length();
  const double n = length();
  const double k = length();
  const double r = std::min(m, length());
  const double c = std::min(n, length());
  const CutTile tile{
      .rows = r, .columns = c, .left = m * k * parts(n, c), .right = n * k * parts(m, r)};
  const CoreLevels::Outputs outputs{.rows = m / parts(m, r), .columns = n / parts(n, c), .sum = k};

  const auto moved = core.elements(tile, outputs, m * n * k, 2.0);
  const auto fewest = [&](std::size_t level) { return core.min_reads(level, m * n * k, 2.0); };

  RC_ASSERT(core.min_unit_accesses(outputs, m * n * k) <= moved[0]);
  RC_ASSERT(fewest(1) + fewest(2) <= moved[1]);
  RC_ASSERT(fewest(2) + tile.left + tile.right <= moved[2]);
}

// With a limit on the elements that a level moves.
RC_GTEST_PROP(CoreLevelsProperty, TrafficIsInfiniteAboveTheLimit, ()) {
  chip::Device device = chip::pe_array(1.0, 16.0, Hertz(1e9), Bytes(1024.0));
  device.cores.units = 4.0;
  device.levels = {{.scope = chip::Scope::kMcu, .capacity = Bytes(*rc::gen::inRange(64, 30'000))},
                   {.scope = chip::Scope::kBundle, .capacity = Bytes(300'000.0)}};
  const MatrixUnit unit(device, chip::Precision::kFp16);
  const CoreLevels core(device, unit);
  const CutTile tile{.rows = 1.0 * *rc::gen::inRange(1, 300),
                     .columns = 1.0 * *rc::gen::inRange(1, 300),
                     .left = 1e6,
                     .right = 1.0 * *rc::gen::inRange(1, 10'000'000)};
  const CoreLevels::Outputs outputs{.rows = tile.rows, .columns = tile.columns, .sum = 64.0};

  const auto moved = core.elements(tile, outputs, 1e9, 2.0);
  const CoreLevels::Elements enough{0.0, moved[1]};
  const CoreLevels::Elements too_few{0.0, moved[1] - 1.0};

  RC_ASSERT(core.elements(tile, outputs, 1e9, 2.0, &enough) == moved);
  RC_ASSERT(std::isinf(core.elements(tile, outputs, 1e9, 2.0, &too_few)[1]));
}

}  // namespace
}  // namespace cairn::kernel
