#include "cairn/kernel/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cairn/base/must_have.hpp"
#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/matrix_unit.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

using chip::Device;
using model::Attention;

constexpr double kPassing = 2.0;   // maps that pass: K and V, or Q and dO
constexpr double kBuffered = 2.0;  // parts of each in a core

struct Tile {
  double rows = 1.0;     // r
  double columns = 1.0;  // c, of a part of the other side
  double down = 1.0;     // D
  double parts = 1.0;    // p, on average
  double most_parts = 1.0;
  double at_once = 1.0;

  // Rows of the other side that pass for all tiles of a head.
  [[nodiscard]] double passing() const { return down * parts * columns; }
};

class Flash {
 public:
  Flash(const Work& work, const Device& device)
      : work_(work),
        a_(must_have(work.attention, "attention")),
        device_(device),
        unit_(device, work.precision),
        core_(device, unit_),
        element_(work.element().si()),
        backward_(a_.products > 2.0),
        count_(a_.samples * a_.heads),
        rows_(backward_ ? a_.keys : a_.queries),
        other_(backward_ ? a_.queries : a_.keys),
        capacity_(core_.count() == 0 ? std::numeric_limits<double>::infinity()
                                     : device.capacity_of_core().si()),
        accumulators_(device.tiles.accumulators ? device.tiles.accumulators->si() : capacity_),
        ops_of_score_(work.vector_ops / a_.scores() + kOpsOfExponential - 1.0),
        fill_(device.library_kernel(work.op).fill.value_or(device.tiles.fill)) {
    if (core_.count() < device.levels.size()) {
      beside_ = device.bandwidth_of(device.levels[core_.count()]);
    }
  }

  Mapping best() {
    const std::vector<double>& sides = device_.tiles.sides;
    const double step = unit_.row_step();
    // Not longer than what lets a single column pass.
    const double longest = std::max(step, capacity_ / (kAccumulatorBytes * own_maps() * a_.width));
    // From the longest: they read the least, so that others are soon known to be slower.
    const std::vector<double> all = sides.empty() ? useful_sides(rows_, step, longest) : sides;
    std::for_each(all.rbegin(), all.rend(), [&](double rows) { try_rows(rows); });
    if (best_time_ == Seconds::infinity()) {  // the smallest always does
      sides.empty() ? try_tile(step, unit_.column_step())
                    : try_tile(std::ranges::min(sides), std::ranges::min(sides));
    }
    return best_;
  }

 private:
  // Rows of a tile that stay with it: Q and O, or K, V, dK and dV; half of them are sums.
  [[nodiscard]] double own_maps() const { return backward_ ? 2.0 : 1.0; }

  [[nodiscard]] double sums(double rows, double columns) const {
    return kAccumulatorBytes * own_maps() * rows * (columns + a_.width);
  }

  // The widest part of the other side with which so many tiles' sums, and one tile, fit a core.
  [[nodiscard]] double widest(double rows, double at_once) const {
    const double sums_of_column = kAccumulatorBytes * own_maps() * rows;
    const double by_sums = accumulators_ / (at_once * sums_of_column) - a_.width;
    const double own = (sums_of_column + element_ * own_maps() * rows) * a_.width;
    const double by_all =
        (capacity_ - own) / (sums_of_column + element_ * a_.width * kPassing * kBuffered);
    return std::min(by_sums, by_all);
  }

  // As wide as one, two, ... tiles at once allow.
  void try_rows(double rows) {
    for (double at_once = 1.0; at_once <= device_.tiles.at_once; at_once += 1.0) {
      const double most = widest(rows, at_once);
      if (const std::vector<double>& sides = device_.tiles.sides; !sides.empty()) {
        double side = 0.0;
        for (const double length : sides) {
          side = length <= most ? std::max(side, length) : side;
        }
        if (side > 0.0) {
          try_tile(rows, side);
        }
        continue;
      }
      const double step = unit_.column_step();
      const double steps = parts(other_, step);
      if (const double fit = std::min(steps, std::floor(most / step)); fit >= 1.0) {
        try_tile(rows, parts(steps, parts(steps, fit)) * step);  // parts as equal as can be
      }
    }
  }

  void try_tile(double rows, double columns) {
    Tile tile{.rows = rows,
              .columns = columns,
              .down = parts(rows_, rows),
              .most_parts = parts(other_, columns)};
    tile.parts = tile.most_parts;
    if (a_.causal) {
      const double mean = (rows * tile.down + std::max(rows, columns)) / (2.0 * columns);
      tile.parts = std::min(mean, tile.most_parts);
    }
    tile.at_once =
        std::clamp(std::floor(accumulators_ / sums(rows, columns)), 1.0, device_.tiles.at_once);
    Mapping mapping{.compute = compute_time(tile),
                    .tiling = {.tile_rows = rows, .tile_columns = columns}};
    if (mapping.compute > best_time_) {
      return;
    }
    move_outside(tile, mapping);
    if (beside_ && mapping.levels[core_.count()] / *beside_ > best_time_) {
      return;
    }
    move_inside(tile, mapping);
    Seconds time =
        std::max(mapping.compute, time_of(mapping.memory, memory_bandwidth(work_, device_)));
    for (std::size_t i = 0; i < device_.levels.size(); ++i) {
      time = std::max(time, time_of(mapping.levels[i], device_.bandwidth_of(device_.levels[i])));
    }
    if (time < best_time_ || (time == best_time_ && mapping.memory < best_.memory)) {
      best_time_ = time;
      best_ = mapping;
    }
  }

  [[nodiscard]] Seconds compute_time(const Tile& tile) const {
    const auto& [r, c, down, seen, most, at_once] = tile;
    const double d = a_.width;
    const double products = backward_ ? 2.0 * unit_.cycles(r, c, d) + 2.0 * unit_.cycles(r, d, c) +
                                            unit_.cycles(c, d, r)
                                      : unit_.cycles(r, c, d) + unit_.cycles(r, d, c);
    const double scores = r * c * ops_of_score_ / device_.cores.vector.si();
    const bool hidden = !backward_ && at_once > 1.0;
    const double part = hidden ? std::max(products, scores) : products + scores;
    const double tiles = count_ * down;
    const double cores = device_.cores.count;
    const double waves = parts(tiles, cores);
    // Causal tiles differ in length, and begin in the order of their rows, so that the longest are
    // the last: when one of these begins, the others have at most their share of all before them
    // (Graham, Bounds on Multiprocessing Timing Anomalies, 1969).
    const double in_turn =
        std::min(waves * most, tiles * seen / cores + most * (1.0 - 1.0 / cores));
    return time_of_cycles(in_turn * part, device_) + fill_ * parts(waves, at_once);
  }

  void move_outside(const Tile& tile, Mapping& mapping) const {
    const double map = count_ * other_ * a_.width;  // one that passes, once
    const Bytes dq(backward_ ? kAccumulatorBytes * map : 0.0);
    const std::size_t levels = device_.levels.size();
    const double in_work = device_.cores.count * tile.at_once;
    const double together = parts(tile.down, in_work);  // times that a map passes for all of them
    const double heads = std::min(count_, parts(in_work, tile.down));
    const Bytes passing(element_ * kPassing * map);
    Bytes crossing = work_.bytes() + passing * (together - 1.0) + dq * 2.0;
    for (std::size_t i = core_.count(); i < levels; ++i) {
      mapping.levels[i] = crossing;
      if (i == core_.count()) {
        const double times = std::max(1.0, tile.passing() / other_);
        mapping.levels[i] = work_.bytes() + passing * (times - 1.0) + dq * (times + 1.0);
      }
      const Bytes capacity = device_.levels[i].capacity;
      const bool holds_passing = passing * (heads / count_) <= capacity;
      crossing = work_.bytes() + (holds_passing ? Bytes(0.0) : passing * (together - 1.0)) +
                 (dq <= capacity ? Bytes(0.0) : dq * 2.0);
    }
    mapping.memory = crossing;
  }

  // One of the products of all tiles, as the levels inside a core see it.
  struct Product {
    double rows = 1.0;
    double columns = 1.0;
    double sum = 1.0;
    double left = 0.0;  // elements that are read for it; not those that registers hold anyway
    double right = 0.0;
    double brought = 0.0;  // into the core, or written by it, before they are read
  };

  void move_inside(const Tile& tile, Mapping& mapping) const {
    const double r = tile.rows;
    const double c = tile.columns;
    const double d = a_.width;
    const double own = count_ * rows_ * d;
    const double again = own * tile.parts;  // the same rows for every part
    const double passing = count_ * tile.passing() * d;
    const double scores = passing * r / d;
    if (backward_) {
      add({r, c, d, again, passing, own + passing}, mapping);  // S
      add({r, c, d, again, passing, own + passing}, mapping);  // dP
      add({r, d, c, 0.0, passing, 0.0}, mapping);              // dV
      add({r, d, c, 0.0, passing, 0.0}, mapping);              // dK
      add({c, d, r, scores, again, scores}, mapping);          // dQ
    } else {
      add({r, c, d, again, passing, own + passing}, mapping);  // S
      add({r, d, c, 0.0, passing, passing}, mapping);          // O
    }
  }

  void add(const Product& product, Mapping& mapping) const {
    const auto& [rows, columns, sum, left, right, brought] = product;
    auto elements = core_.elements({.rows = rows, .columns = columns, .left = left, .right = right},
                                   {.rows = rows, .columns = columns, .sum = sum},
                                   a_.macs() / a_.products,
                                   element_);
    if (core_.count() > 1) {  // the innermost counts what the matrix units read
      elements[core_.count() - 1] += brought - (left + right);
    }
    for (std::size_t i = 0; i < core_.count(); ++i) {
      mapping.levels[i] += Bytes(elements[i] * element_);
    }
  }

  const Work& work_;
  const Attention& a_;
  const Device& device_;
  MatrixUnit unit_;
  CoreLevels core_;
  double element_;
  bool backward_;
  double count_;  // samples x heads
  double rows_;   // that tiles are cut from
  double other_;  // that pass
  double capacity_;
  double accumulators_;
  double ops_of_score_;
  Seconds fill_;
  std::optional<BytesPerSecond> beside_{};  // of the level beside the cores
  Mapping best_{};
  Seconds best_time_ = Seconds::infinity();
};

}  // namespace

Mapping attention_mapping(const Work& work, const Device& device) {
  return Flash(work, device).best();
}

}  // namespace cairn::kernel
