// Tiles of outputs that cores may work on: all that differ.
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
  double parts = 1.0;  // that it cuts the output into
};

// A tile of the cores, and how they work on all of them.
struct Tile {
  Side row{};
  Side column{};
  double splits = 1.0;
  double at_once = 1.0;  // of a core
  double sum = 1.0;      // products of a part of a sum
  double waves = 1.0;
};

// Sides are the library's, or, if it states none, all that differ: multiples of the matrix unit's.
// A tile must fit its core, whose levels are the first so many of the device; the smallest always
// does. A sum is cut only as far as all its parts are in work at a time.
class TileSpace {
 public:
  TileSpace(const Work& work,
            const chip::Device& device,
            const MatrixUnit& unit,
            std::size_t core_levels);

  // From the longest: long tiles read the least, so that a search knows early what is hopeless.
  [[nodiscard]] const std::vector<Side>& rows() const { return rows_; }

  [[nodiscard]] const std::vector<Side>& columns() const { return columns_; }

  // The longest column that fits with so many rows.
  [[nodiscard]] double widest(double rows) const;

  // Calls visit(tile) for each number of parts that sums may be cut into.
  template <class Visit>
  void for_each_split(const Side& row, const Side& column, Visit&& visit) const {
    const double tiles = row.parts * column.parts * contraction_.count;
    const double outputs = row.length * column.length;
    Tile tile{
        .row = row,
        .column = column,
        .at_once = std::clamp(
            std::floor(accumulators_ / (kAccumulatorBytes * outputs)), 1.0, device_.tiles.at_once)};
    const double together = device_.cores.count * tile.at_once;
    const double most =
        std::min({device_.tiles.splits, std::floor(together / tiles), contraction_.k});
    do {
      tile.sum = parts(contraction_.k, tile.splits);
      tile.waves = parts(tiles * tile.splits, device_.cores.count);
      visit(tile);
      tile.splits += 1.0;
    } while (tile.splits <= most);
  }

  // Tiles that all cores work on at a time, each on the same part of its sums.
  [[nodiscard]] double in_work(const Tile& tile) const {
    return std::max(1.0, std::floor(device_.cores.count * tile.at_once / tile.splits));
  }

  // Parts of sums, if they are in parts.
  [[nodiscard]] Bytes cut_sums(const Tile& tile) const {
    return tile.splits > 1.0 ? sums_ * tile.splits : Bytes(0.0);
  }

  // What of them crosses main memory, written and read: all, unless the outermost level holds them.
  [[nodiscard]] Bytes sums_in_memory(const Tile& tile) const {
    const bool kept =
        device_.levels.size() > core_levels_ && cut_sums(tile) <= device_.levels.back().capacity;
    return kept ? Bytes(0.0) : cut_sums(tile) * 2.0;
  }

 private:
  const chip::Device& device_;
  const model::Contraction& contraction_;
  std::size_t core_levels_;
  double element_;
  double capacity_;      // of a core
  double accumulators_;  // of a core
  Bytes sums_;           // all outputs, as sums
  std::vector<Side> rows_{};
  std::vector<Side> columns_{};
};

}  // namespace cairn::kernel
