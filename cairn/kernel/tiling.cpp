#include "cairn/kernel/tiling.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/kernel/block.hpp"
#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/held.hpp"
#include "cairn/kernel/matrix_unit.hpp"
#include "cairn/kernel/tiles.hpp"

namespace cairn::kernel {

namespace {

using chip::Device;
using model::Contraction;

class Search {
 public:
  Search(const Work& work, const Device& device)
      : work_(work),
        c_(must_have(work.contraction, "a product")),
        device_(device),
        unit_(device, work.precision),
        core_(device, unit_),
        space_(work, device, unit_, core_.count()),
        element_(work.element().si()),
        full_rate_(time_of_cycles(c_.k / device.macs_per_cycle_and_core(work.precision), device) *
                   kBelowRounding),
        vector_cycles_(work.vector_ops / (device.cores.count * device.cores.vector.si())),
        memory_bandwidth_(memory_bandwidth(work, device)),
        least_time_(full_rate_ * (c_.m * c_.n * c_.count / device.cores.count)) {
    for (std::size_t i = 0; i < device.levels.size(); ++i) {
      bandwidths_[i] = device.bandwidth_of(device.levels[i]);
    }
    for (std::size_t i = core_.count(); i < device.levels.size(); ++i) {
      holds_[i] = best_holds(work, device.cores.dataflow, device.levels[i].capacity);
    }
    if (core_.count() > 1) {
      fewest_reads_ = Bytes(core_.fewest_read(core_.count() - 1, c_.macs(), element_) * element_);
    }
    if (core_.count() < device.levels.size()) {
      for (const Hold& way : holds_[device.levels.size() - 1]) {
        fewest_held_ = std::min(fewest_held_, way.outside);
      }
    }
  }

  Mapping best() {
    best_.memory = Bytes::infinity();
    look_at_every(kCoarse);  // how long it takes at most: most tiles are then known to take longer
    best_.memory = Bytes::infinity();
    look_at_every(1);
    if (best_.memory == Bytes::infinity()) {
      throw Bug("a tiling that is found coarsely, and not by looking at all");
    }
    return best_;
  }

 private:
  static constexpr std::size_t kCoarse = 8;
  static constexpr double kBelowAboutCeil = 1.0 - 2e-9;

  void look_at_every(std::size_t nth) {
    const auto& rows = space_.rows();
    for (std::size_t i = 0; i < rows.size(); i += nth) {
      look_along(rows[i], nth);
      if (cannot_be_better()) {
        return;
      }
    }
    if (best_.memory == Bytes::infinity()) {  // the smallest tile always does
      try_tile(rows.back(), space_.columns().back());
    }
  }

  void look_along(const Side& row, std::size_t nth) {
    const double widest = std::min(space_.widest(row.length), widest_in_time(row));
    const std::span<const Side> all(space_.columns());
    const auto first =
        std::ranges::partition_point(all, [&](const Side& side) { return side.length > widest; });
    const std::span<const Side> columns(first, all.end());
    const double waves = row.parts * c_.count / device_.cores.count;  // of a part of the columns
    const double rate = row.length * full_rate_.si() * kBelowAboutCeil;
    const bool whole = !columns.empty() && are_whole(row.parts * columns.front().parts * c_.count);
    for (std::size_t i = 0; i < columns.size(); i += nth) {
      const Side& column = columns[i];
      // Most are passed over here: this takes a few cycles.
      if (whole && about_ceil(waves * column.parts) * column.length * rate > best_time_.si()) {
        continue;
      }
      if (takes_too_long(row, column)) {
        continue;
      }
      if (cannot_be_better(row, column)) {
        return;
      }
      try_tile(row, column);
      if (cannot_be_better()) {
        return;
      }
    }
  }

  // Whether sums of so many tiles are in one part.
  [[nodiscard]] bool are_whole(double tiles) const {
    return device_.tiles.splits == 1.0 || 2.0 * tiles > device_.cores.count * device_.tiles.at_once;
  }

  // Of a wider tile, a single one takes longer than the best tiling does.
  [[nodiscard]] double widest_in_time(const Side& row) const {
    const double most = best_time_.si() / (row.length * full_rate_.si());
    return are_whole(row.parts * c_.count) ? most : std::numeric_limits<double>::infinity();
  }

  // Matrix units at full rate would take longer than the best tiling does.
  [[nodiscard]] bool takes_too_long(const Side& row, const Side& column) const {
    const double tiles = row.parts * column.parts * c_.count;
    const double waves = parts(tiles, device_.cores.count);
    return waves * row.length * column.length * full_rate_.si() > best_time_.si() &&
           are_whole(tiles);
  }

  // By what is moved alone; then no narrower one is better either, for it moves no less.
  [[nodiscard]] bool cannot_be_better(const Side& row, const Side& column) const {
    const double most_in_work = device_.cores.count * device_.tiles.at_once;
    const Bytes memory = fewest_from_memory(row, column, most_in_work);
    const Seconds time = std::max({least_time_,
                                   least_time_to_cores(operands(row, column)),
                                   fewest_by_units({.row = row, .column = column, .sum = c_.k}),
                                   time_of(memory, memory_bandwidth_)});
    return !is_better(time, memory);
  }

  // What all cores read for their tiles.
  [[nodiscard]] Bytes operands(const Side& row, const Side& column) const {
    return Bytes(element_ * c_.k * c_.count * (c_.m * column.parts + c_.n * row.parts));
  }

  // Of the level beside the cores and the outermost inside, that read so much for tiles.
  [[nodiscard]] Seconds least_time_to_cores(Bytes operands) const {
    const std::size_t beside = core_.count();
    const Seconds inside =
        beside > 1 ? time_of((operands + fewest_reads_) * kBelowRounding, bandwidths_[beside - 1])
                   : Seconds(0.0);
    return beside < device_.levels.size()
               ? std::max(inside, time_of(operands + work_.other, bandwidths_[beside]))
               : inside;
  }

  // Every byte once, and nothing takes longer than these.
  [[nodiscard]] bool cannot_be_better() const {
    return best_.memory == work_.bytes() && best_time_ <= time_of(work_.bytes(), memory_bandwidth_);
  }

  void try_tile(const Side& row, const Side& column) {
    space_.for_each_split(row, column, [&](const Tile& tile) { try_split(tile); });
  }

  [[nodiscard]] Seconds compute_time(const Tile& tile, double cycles_of_tile) const {
    const double fills = parts(tile.waves, tile.at_once);
    return time_of_cycles(tile.waves * cycles_of_tile + vector_cycles_, device_) +
           device_.tiles.fill * fills + (tile.splits > 1.0 ? device_.tiles.join : Seconds(0.0));
  }

  void try_split(const Tile& tile) {
    const Seconds compute =
        compute_time(tile, unit_.cycles(tile.row.length, tile.column.length, tile.sum));
    if (compute > best_time_) {
      return;
    }
    const Bytes memory = fewest_from_memory(tile.row, tile.column, space_.in_work(tile)) +
                         space_.sums_in_memory(tile);
    Seconds at_least = std::max(compute, time_of(memory, memory_bandwidth_));
    if (!is_better(at_least, memory)) {
      return;
    }
    at_least = std::max(at_least, fewest_by_units(tile));
    if (!is_better(at_least, memory)) {
      return;
    }
    if (at_least == best_time_ && !moves_less(tile)) {
      return;
    }
    Mapping mapping{.compute = compute,
                    .tiling = {.tile_rows = tile.row.length,
                               .tile_columns = tile.column.length,
                               .splits = tile.splits}};
    const Seconds time = std::max(compute, move_to_cores(tile, mapping));
    if (is_better(std::max(time, at_least), memory)) {
      share(tile, time, mapping);
    }
  }

  [[nodiscard]] bool is_better(Seconds time, Bytes memory) const {
    return time < best_time_ || (time == best_time_ && memory < best_.memory);
  }

  // Whether it may move less to and from memory than the best tiling does, which it must if it is
  // no faster.
  [[nodiscard]] bool moves_less(const Tile& tile) const {
    const Bytes most = best_.memory - space_.sums_in_memory(tile);
    return fewest_held_ < most ||
           best_block(work_, tile.row.parts, tile.column.parts, space_.in_work(tile), most).bytes <
               most;
  }

  // A bound: whatever block of tiles is in work at a time, and whatever is held.
  [[nodiscard]] Bytes fewest_from_memory(const Side& row,
                                         const Side& column,
                                         double in_work) const {
    const Bytes fewest = fewest_of_blocks(work_, row.parts, column.parts, in_work);
    return std::min(fewest * kBelowRounding, fewest_held_);
  }

  [[nodiscard]] CutTile cut_of(const Tile& tile) const {
    return {.rows = tile.row.length,
            .columns = tile.column.length,
            .left = c_.m * c_.k * c_.count * tile.column.parts,
            .right = c_.n * c_.k * c_.count * tile.row.parts};
  }

  [[nodiscard]] CoreLevels::Outputs outputs_of(const Tile& tile) const {
    return {.rows = c_.m / tile.row.parts, .columns = c_.n / tile.column.parts, .sum = tile.sum};
  }

  // A bound: however cores cut their tiles.
  [[nodiscard]] Seconds fewest_by_units(const Tile& tile) const {
    return core_.count() == 0
               ? Seconds(0.0)
               : time_of(Bytes(core_.fewest_by_units(outputs_of(tile), c_.macs()) * element_),
                         bandwidths_[0]);
  }

  // Traffic of the level beside the cores, and of those inside; the time of the slowest.
  Seconds move_to_cores(const Tile& tile, Mapping& mapping) const {
    Seconds time(0.0);
    const std::size_t beside = core_.count();
    if (beside < device_.levels.size()) {
      mapping.levels[beside] =
          operands(tile.row, tile.column) + work_.other + space_.cut_sums(tile) * 2.0;
      time = time_of(mapping.levels[beside], bandwidths_[beside]);
    }
    if (time > best_time_) {
      return time;
    }
    const CoreLevels::Elements most = most_in_time();
    const auto elements =
        core_.elements(cut_of(tile), outputs_of(tile), c_.macs(), element_, &most);
    for (std::size_t i = 0; i < beside; ++i) {
      mapping.levels[i] = Bytes(elements[i] * element_);
      time = std::max(time, time_of(mapping.levels[i], bandwidths_[i]));
    }
    return time;
  }

  // What levels inside cores may move before they take longer than the best tiling does.
  [[nodiscard]] CoreLevels::Elements most_in_time() const {
    CoreLevels::Elements most{};
    for (std::size_t i = 0; i < core_.count(); ++i) {
      most[i] = bandwidths_[i] ? best_time_ * *bandwidths_[i] / Bytes(element_) / kBelowRounding
                               : std::numeric_limits<double>::infinity();
    }
    return most;
  }

  // What crosses into each level that all cores share, from the inside outwards.
  void share(const Tile& tile, Seconds time, Mapping& mapping) {
    const Block block = best_block(work_, tile.row.parts, tile.column.parts, space_.in_work(tile));
    mapping.tiling.block_rows = block.rows;
    mapping.tiling.block_columns = block.columns;
    mapping.memory = block.bytes;
    const std::size_t levels = device_.levels.size();
    for (std::size_t i = core_.count(); i < levels; ++i) {
      const auto outside = i + 1 < levels ? bandwidths_[i + 1] : memory_bandwidth_;
      const Hold way = best_way(i, block, time, mapping.levels[i], outside);
      mapping.levels[i] += way.partial;
      (i + 1 < levels ? mapping.levels[i + 1] : mapping.memory) = way.outside;
      mapping.tiling.held = way.operand;
      mapping.tiling.held_rows = way.rows;
      mapping.tiling.held_columns = way.columns;
      time = std::max(
          {time, time_of(mapping.levels[i], bandwidths_[i]), time_of(way.outside, outside)});
    }
    mapping.memory += space_.sums_in_memory(tile);
    time = std::max(time, time_of(mapping.memory, memory_bandwidth_));
    if (is_better(time, mapping.memory)) {
      best_ = mapping;
      best_time_ = time;
    }
  }

  // Of the block and what level i may hold, the way with the least time, then the fewest bytes.
  [[nodiscard]] Hold best_way(std::size_t i,
                              const Block& block,
                              Seconds time,
                              Bytes inside,
                              const std::optional<BytesPerSecond>& outside) const {
    const auto time_of_way = [&](const Hold& way) {
      return std::max(
          {time, time_of(inside + way.partial, bandwidths_[i]), time_of(way.outside, outside)});
    };
    Hold best{.outside = block.bytes};
    Seconds least = time_of_way(best);
    for (const Hold& way : holds_[i]) {
      const Seconds its = time_of_way(way);
      if (its < least || (its == least && way.outside < best.outside)) {
        best = way;
        least = its;
      }
    }
    return best;
  }

  const Work& work_;
  const Contraction& c_;
  const Device& device_;
  MatrixUnit unit_;
  CoreLevels core_;
  TileSpace space_;
  double element_;
  Seconds full_rate_;  // of one output, if units are never idle; below any rounding
  double vector_cycles_;
  std::optional<BytesPerSecond> memory_bandwidth_;
  std::array<std::optional<BytesPerSecond>, chip::kMostLevels + 1> bandwidths_{};
  std::array<std::vector<Hold>, chip::kMostLevels> holds_{};
  Bytes fewest_held_ = Bytes::infinity();  // from main memory, of all that the outermost may hold
  Seconds least_time_;                     // of all tilings: matrix units at full rate, never idle
  Bytes fewest_reads_{0.0};  // of the outermost level inside cores, for those further inside
  Mapping best_{};
  Seconds best_time_ = Seconds::infinity();
};

}  // namespace

Seconds time_of(Bytes bytes, const std::optional<BytesPerSecond>& bandwidth) {
  return bandwidth ? bytes / *bandwidth : Seconds(0.0);
}

BytesPerSecond bandwidth_of(const chip::DeviceMemory& memory) {
  return memory.bandwidth * memory.utilization;
}

std::optional<BytesPerSecond> memory_bandwidth(const Work& work, const Device& device) {
  return work.held >= work.bytes() ? std::nullopt : std::optional(bandwidth_of(device.memory));
}

Seconds time_of_cycles(double cycles, const Device& device) {
  return cycles / device.cores.utilization / device.cores.frequency;
}

Mapping best_mapping(const Work& work, const Device& device) {
  return Search(work, device).best();
}

}  // namespace cairn::kernel
