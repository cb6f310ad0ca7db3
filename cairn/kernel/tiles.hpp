// The space of output tiles that cores may work on, without duplicates.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/sides.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

struct Side {
  double length = 1.0;
  double parts = 1.0;  // number of parts of the output
};

// A core's tile, and how all tiles are scheduled.
struct Tile {
  Side row{};
  Side column{};
  double splits = 1.0;
  double at_once = 1.0;  // tiles in flight per core
  double sum = 1.0;      // steps of k per split-K part
  double waves = 1.0;
};

// Sides are the library's, or, if it states none, all useful multiples of the matrix unit's. A tile
// must fit its core (the first `core_levels` levels of the device); the smallest always does.
// Split-K is limited so that all parts are in flight at once.
class TileSpace {
 public:
  TileSpace(const Work& work,
            const chip::Device& device,
            const MatrixUnit& unit,
            std::size_t core_levels);

  // Longest first: long tiles read the least, so that a search prunes early.
  [[nodiscard]] const std::vector<Side>& rows() const { return rows_; }

  [[nodiscard]] const std::vector<Side>& columns() const { return columns_; }

  // The maximum columns of a tile of `rows` rows.
  [[nodiscard]] double widest(double rows) const;

  // Calls visit(tile) for each allowed split-K factor.
  template <class Visit>
  void for_each_split(const Side& row, const Side& column, Visit&& visit) const {
    const double tiles = row.parts * column.parts * contraction_.count;
    const double outputs = row.length * column.length;
    Tile tile{
        .row = row,
        .column = column,
        .at_once = std::clamp(
            std::floor(accumulators_ / (kAccumulatorBytes * outputs)), 1.0, device_.tiles.at_once)};
    const double in_flight = device_.cores.count * tile.at_once;
    const double max_splits =
        std::min({device_.tiles.splits, std::floor(in_flight / tiles), contraction_.k});
    do {
      tile.sum = parts(contraction_.k, tile.splits);
      tile.waves = parts(tiles * tile.splits, device_.cores.count);
      visit(tile);
      tile.splits += 1.0;
    } while (tile.splits <= max_splits);
  }

  // Tiles in flight on all cores, counting split-K parts of a tile as one.
  [[nodiscard]] double tiles_in_flight(const Tile& tile) const {
    return std::max(1.0, std::floor(device_.cores.count * tile.at_once / tile.splits));
  }

  // Bytes of split-K partial sums; 0 without split-K.
  [[nodiscard]] Bytes partials(const Tile& tile) const {
    return tile.splits > 1.0 ? sums_ * tile.splits : Bytes(0.0);
  }

  // Main-memory traffic of partial sums, written and read; 0 if the outermost level holds them.
  [[nodiscard]] Bytes partials_in_memory(const Tile& tile) const {
    const bool fits =
        device_.levels.size() > core_levels_ && partials(tile) <= device_.levels.back().capacity;
    return fits ? Bytes(0.0) : partials(tile) * 2.0;
  }

 private:
  const chip::Device& device_;
  const model::Contraction& contraction_;
  std::size_t core_levels_;
  double element_;
  double capacity_;      // of a core
  double accumulators_;  // of a core
  Bytes sums_;           // all outputs, as accumulators
  std::vector<Side> rows_{};
  std::vector<Side> columns_{};
};

}  // namespace cairn::kernel
