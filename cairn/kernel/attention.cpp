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

constexpr double kStreamed = 2.0;  // streamed tensors: K and V, or Q and dO
constexpr double kBuffers = 2.0;   // double buffering of their parts in a core

struct Tile {
  double rows = 1.0;     // r
  double columns = 1.0;  // c, of a part of the other side
  double down = 1.0;     // D
  double parts = 1.0;    // p, on average
  double most_parts = 1.0;
  double at_once = 1.0;

  // Rows of the other side streamed for all tiles of a head.
  [[nodiscard]] double streamed_rows() const { return down * parts * columns; }
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
      shared_bandwidth_ = device.bandwidth_of(device.levels[core_.count()]);
    }
  }

  Mapping best() {
    const std::vector<double>& sides = device_.tiles.sides;
    const double step = unit_.row_step();
    // The longest side that leaves room for one column.
    const double longest =
        std::max(step, capacity_ / (kAccumulatorBytes * own_tensors() * a_.width));
    // Longest first: they read the least, so that others are pruned early.
    const std::vector<double> all = sides.empty() ? useful_sides(rows_, step, longest) : sides;
    std::for_each(all.rbegin(), all.rend(), [&](double rows) { try_rows(rows); });
    if (best_time_ == Seconds::infinity()) {  // the smallest tile always fits
      sides.empty() ? try_tile(step, unit_.column_step())
                    : try_tile(std::ranges::min(sides), std::ranges::min(sides));
    }
    return best_;
  }

 private:
  // Pairs of tensors whose rows stay with a tile: Q and O, or K, V, dK and dV; half of them are
  // accumulators.
  [[nodiscard]] double own_tensors() const { return backward_ ? 2.0 : 1.0; }

  [[nodiscard]] double sums(double rows, double columns) const {
    return kAccumulatorBytes * own_tensors() * rows * (columns + a_.width);
  }

  // The widest part of the other side for which `at_once` tiles' accumulators, and one tile, fit.
  [[nodiscard]] double widest(double rows, double at_once) const {
    const double sums_of_column = kAccumulatorBytes * own_tensors() * rows;
    const double by_sums = accumulators_ / (at_once * sums_of_column) - a_.width;
    const double own = (sums_of_column + element_ * own_tensors() * rows) * a_.width;
    const double by_all =
        (capacity_ - own) / (sums_of_column + element_ * a_.width * kStreamed * kBuffers);
    return std::min(by_sums, by_all);
  }

  // As wide as one, two, ... tiles in flight allow.
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
        try_tile(rows, parts(steps, parts(steps, fit)) * step);  // nearly equal parts
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
      tile.most_parts = most_parts(rows, columns);
      tile.parts =
          std::min(mean_parts(rows * tile.down, std::max(rows, columns), columns), tile.most_parts);
    }
    tile.at_once =
        std::clamp(std::floor(accumulators_ / sums(rows, columns)), 1.0, device_.tiles.at_once);
    Mapping mapping{.compute = compute_time(tile),
                    .tiling = {.tile_rows = rows, .tile_columns = columns}};
    if (mapping.compute > best_time_) {
      return;
    }
    add_shared_traffic(tile, mapping);
    if (shared_bandwidth_ && mapping.levels[core_.count()] / *shared_bandwidth_ > best_time_) {
      return;
    }
    add_core_traffic(tile, mapping);
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

  // Parts that a causal tile visits on average; `all`: rows of all tiles of a head.
  [[nodiscard]] double mean_parts(double all, double side, double columns) const {
    if (!a_.is_sliding()) {
      return (all + side) / (2.0 * columns);
    }
    return (a_.window + side) * (2.0 - a_.window / other_) / (2.0 * columns);
  }

  // The longest tile's.
  [[nodiscard]] double most_parts(double rows, double columns) const {
    return parts(a_.is_sliding() ? std::min(other_, a_.window + std::max(rows, columns)) : other_,
                 columns);
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
    // Causal tiles differ in length and start in the order of their rows, the longest last. Bound
    // of list scheduling (Graham, Bounds on Multiprocessing Timing Anomalies, 1969).
    const double parts_per_core =
        std::min(waves * most, tiles * seen / cores + most * (1.0 - 1.0 / cores));
    return time_of_cycles(parts_per_core * part, device_) + fill_ * parts(waves, at_once);
  }

  void add_shared_traffic(const Tile& tile, Mapping& mapping) const {
    const double map = count_ * other_ * a_.width;  // elements of one streamed tensor
    const Bytes dq(backward_ ? kAccumulatorBytes * map : 0.0);
    const std::size_t levels = device_.levels.size();
    const double in_flight = device_.cores.count * tile.at_once;
    const double together = parts(tile.down, in_flight);  // times that it is streamed
    const double heads = std::min(count_, parts(in_flight, tile.down));
    const Bytes streamed(element_ * kStreamed * map);
    Bytes crossing = work_.bytes() + streamed * (together - 1.0) + dq * 2.0;
    for (std::size_t i = core_.count(); i < levels; ++i) {
      mapping.levels[i] = crossing;
      if (i == core_.count()) {
        const double times = std::max(1.0, tile.streamed_rows() / other_);
        mapping.levels[i] = work_.bytes() + streamed * (times - 1.0) + dq * (times + 1.0);
      }
      const Bytes capacity = device_.levels[i].capacity;
      const bool fits = streamed * (heads / count_) <= capacity;
      crossing = work_.bytes() + (fits ? Bytes(0.0) : streamed * (together - 1.0)) +
                 (dq <= capacity ? Bytes(0.0) : dq * 2.0);
    }
    mapping.memory = crossing;
  }

  // One of the GEMMs of all tiles, as seen by the levels inside a core.
  struct Gemm {
    double rows = 1.0;
    double columns = 1.0;
    double sum = 1.0;
    double left = 0.0;  // elements read, except those already in registers
    double right = 0.0;
    double loaded = 0.0;  // elements loaded into the core, or written by it, before
  };

  void add_core_traffic(const Tile& tile, Mapping& mapping) const {
    const double r = tile.rows;
    const double c = tile.columns;
    const double d = a_.width;
    const double own = count_ * rows_ * d;
    const double reread = own * tile.parts;  // the same rows for each part
    const double streamed = count_ * tile.streamed_rows() * d;
    const double scores = streamed * r / d;
    if (backward_) {
      add({r, c, d, reread, streamed, own + streamed}, mapping);  // S
      add({r, c, d, reread, streamed, own + streamed}, mapping);  // dP
      add({r, d, c, 0.0, streamed, 0.0}, mapping);                // dV
      add({r, d, c, 0.0, streamed, 0.0}, mapping);                // dK
      add({c, d, r, scores, reread, scores}, mapping);            // dQ
    } else {
      add({r, c, d, reread, streamed, own + streamed}, mapping);  // S
      add({r, d, c, 0.0, streamed, streamed}, mapping);           // O
    }
  }

  void add(const Gemm& gemm, Mapping& mapping) const {
    const auto& [rows, columns, sum, left, right, loaded] = gemm;
    auto elements = core_.elements({.rows = rows, .columns = columns, .left = left, .right = right},
                                   {.rows = rows, .columns = columns, .sum = sum},
                                   a_.macs() / a_.products,
                                   element_);
    if (core_.count() > 1) {  // the innermost level counts accesses of the matrix units
      elements[core_.count() - 1] += loaded - (left + right);
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
  double rows_;   // of the side that tiles are cut from
  double other_;  // rows of the streamed side
  double capacity_;
  double accumulators_;
  double ops_of_score_;
  Seconds fill_;
  std::optional<BytesPerSecond> shared_bandwidth_{};  // of the level next to the cores
  Mapping best_{};
  Seconds best_time_ = Seconds::infinity();
};

}  // namespace

Mapping attention_mapping(const Work& work, const Device& device) {
  return Flash(work, device).best();
}

}  // namespace cairn::kernel
