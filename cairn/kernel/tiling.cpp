#include "cairn/kernel/tiling.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/kernel/block.hpp"
#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/matrix_unit.hpp"
#include "cairn/kernel/stationary_operand.hpp"
#include "cairn/kernel/tiles.hpp"

namespace cairn::kernel {

namespace {

using chip::Device;
using model::Contraction;

class Search {
 public:
  Search(const Work& work, const Device& device)
      : work_(work),
        c_(must_have(work.contraction, "a contraction")),
        device_(device),
        unit_(device, work.precision),
        core_(device, unit_),
        space_(work, device, unit_, core_.count()),
        element_(work.element().si()),
        min_time_per_output_(
            time_of_cycles(c_.k / device.macs_per_cycle_and_core(work.precision), device) *
            kBelowRounding),
        vector_cycles_(work.vector_ops / (device.cores.count * device.cores.vector.si())),
        memory_bandwidth_(memory_bandwidth(work, device)),
        min_time_(min_time_per_output_ * (c_.m * c_.n * c_.count / device.cores.count)) {
    for (std::size_t i = 0; i < device.levels.size(); ++i) {
      bandwidths_[i] = device.bandwidth_of(device.levels[i]);
    }
    for (std::size_t i = core_.count(); i < device.levels.size(); ++i) {
      stationary_[i] =
          best_stationary_operands(work, device.cores.dataflow, device.levels[i].capacity);
    }
    if (core_.count() > 1) {
      min_core_reads_ = Bytes(core_.min_reads(core_.count() - 1, c_.macs(), element_) * element_);
    }
    if (core_.count() < device.levels.size()) {
      for (const StationaryOperand& part : stationary_[device.levels.size() - 1]) {
        min_stationary_bytes_ = std::min(min_stationary_bytes_, part.outside);
      }
    }
  }

  Mapping best() {
    best_.memory = Bytes::infinity();
    scan_rows(kCoarse);  // an upper bound, so that most tiles are pruned below
    best_.memory = Bytes::infinity();
    scan_rows(1);
    if (best_.memory == Bytes::infinity()) {
      throw Bug("the full search misses a tiling of the coarse one");
    }
    return best_;
  }

 private:
  static constexpr std::size_t kCoarse = 8;
  static constexpr double kBelowAboutCeil = 1.0 - 2e-9;

  void scan_rows(std::size_t nth) {
    const auto& rows = space_.rows();
    for (std::size_t i = 0; i < rows.size(); i += nth) {
      scan_columns(rows[i], nth);
      if (is_optimal()) {
        return;
      }
    }
    if (best_.memory == Bytes::infinity()) {  // the smallest tile always fits
      try_tile(rows.back(), space_.columns().back());
    }
  }

  void scan_columns(const Side& row, std::size_t nth) {
    const double widest = std::min(space_.widest(row.length), widest_within_best_time(row));
    const std::span<const Side> all(space_.columns());
    const auto first =
        std::ranges::partition_point(all, [&](const Side& side) { return side.length > widest; });
    const std::span<const Side> columns(first, all.end());
    const double waves = row.parts * c_.count / device_.cores.count;  // per part of the columns
    const double rate = row.length * min_time_per_output_.si() * kBelowAboutCeil;
    const bool whole = !columns.empty() && is_unsplit(row.parts * columns.front().parts * c_.count);
    for (std::size_t i = 0; i < columns.size(); i += nth) {
      const Side& column = columns[i];
      // Most are pruned here, in a few cycles.
      if (whole && about_ceil(waves * column.parts) * column.length * rate > best_time_.si()) {
        continue;
      }
      if (exceeds_best_time(row, column)) {
        continue;
      }
      if (is_pruned_by_traffic(row, column)) {
        return;
      }
      try_tile(row, column);
      if (is_optimal()) {
        return;
      }
    }
  }

  // Whether so many tiles leave no room for split-K.
  [[nodiscard]] bool is_unsplit(double tiles) const {
    return device_.tiles.splits == 1.0 || 2.0 * tiles > device_.cores.count * device_.tiles.at_once;
  }

  // A single tile wider than this takes longer than the best tiling.
  [[nodiscard]] double widest_within_best_time(const Side& row) const {
    const double widest = best_time_.si() / (row.length * min_time_per_output_.si());
    return is_unsplit(row.parts * c_.count) ? widest : std::numeric_limits<double>::infinity();
  }

  // Whether matrix units at full rate would take longer than the best tiling.
  [[nodiscard]] bool exceeds_best_time(const Side& row, const Side& column) const {
    const double tiles = row.parts * column.parts * c_.count;
    const double waves = parts(tiles, device_.cores.count);
    return waves * row.length * column.length * min_time_per_output_.si() > best_time_.si() &&
           is_unsplit(tiles);
  }

  // Whether traffic alone excludes the tile. No narrower tile is better then: it moves no less.
  [[nodiscard]] bool is_pruned_by_traffic(const Side& row, const Side& column) const {
    const double max_in_flight = device_.cores.count * device_.tiles.at_once;
    const Bytes memory = min_memory_bytes(row, column, max_in_flight);
    const Seconds time = std::max({min_time_,
                                   min_time_to_cores(operands(row, column)),
                                   min_register_time({.row = row, .column = column, .sum = c_.k}),
                                   time_of(memory, memory_bandwidth_)});
    return !is_better(time, memory);
  }

  // Operand bytes that all cores read for their tiles.
  [[nodiscard]] Bytes operands(const Side& row, const Side& column) const {
    return Bytes(element_ * c_.k * c_.count * (c_.m * column.parts + c_.n * row.parts));
  }

  // Lower bound of the level next to the cores and of the outermost one inside them.
  [[nodiscard]] Seconds min_time_to_cores(Bytes operands) const {
    const std::size_t beside = core_.count();
    const Seconds inside =
        beside > 1 ? time_of((operands + min_core_reads_) * kBelowRounding, bandwidths_[beside - 1])
                   : Seconds(0.0);
    return beside < device_.levels.size()
               ? std::max(inside, time_of(operands + work_.other, bandwidths_[beside]))
               : inside;
  }

  // Whether the best tiling moves every byte once, and nothing takes longer than that.
  [[nodiscard]] bool is_optimal() const {
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
    const Bytes memory = min_memory_bytes(tile.row, tile.column, space_.tiles_in_flight(tile)) +
                         space_.partials_in_memory(tile);
    Seconds at_least = std::max(compute, time_of(memory, memory_bandwidth_));
    if (!is_better(at_least, memory)) {
      return;
    }
    at_least = std::max(at_least, min_register_time(tile));
    if (!is_better(at_least, memory)) {
      return;
    }
    if (at_least == best_time_ && !may_move_less(tile)) {
      return;
    }
    Mapping mapping{.compute = compute,
                    .tiling = {.tile_rows = tile.row.length,
                               .tile_columns = tile.column.length,
                               .splits = tile.splits}};
    const Seconds time = std::max(compute, add_core_traffic(tile, mapping));
    if (is_better(std::max(time, at_least), memory)) {
      add_shared_traffic(tile, time, mapping);
    }
  }

  [[nodiscard]] bool is_better(Seconds time, Bytes memory) const {
    return time < best_time_ || (time == best_time_ && memory < best_.memory);
  }

  // Whether it may have less main-memory traffic than the best tiling, as it must if it is no
  // faster.
  [[nodiscard]] bool may_move_less(const Tile& tile) const {
    const Bytes limit = best_.memory - space_.partials_in_memory(tile);
    const double in_flight = space_.tiles_in_flight(tile);
    return min_stationary_bytes_ < limit ||
           best_block(work_, tile.row.parts, tile.column.parts, in_flight, limit).bytes < limit;
  }

  // Lower bound for any block of tiles in flight and any stationary part.
  [[nodiscard]] Bytes min_memory_bytes(const Side& row,
                                       const Side& column,
                                       double tiles_in_flight) const {
    const Bytes fewest = min_block_bytes(work_, row.parts, column.parts, tiles_in_flight);
    return std::min(fewest * kBelowRounding, min_stationary_bytes_);
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

  // Lower bound for any cut of tiles inside cores.
  [[nodiscard]] Seconds min_register_time(const Tile& tile) const {
    return core_.count() == 0
               ? Seconds(0.0)
               : time_of(Bytes(core_.min_unit_accesses(outputs_of(tile), c_.macs()) * element_),
                         bandwidths_[0]);
  }

  // Adds traffic of the level next to the cores and of those inside; returns the longest time.
  Seconds add_core_traffic(const Tile& tile, Mapping& mapping) const {
    Seconds time(0.0);
    const std::size_t beside = core_.count();
    if (beside < device_.levels.size()) {
      mapping.levels[beside] =
          operands(tile.row, tile.column) + work_.other + space_.partials(tile) * 2.0;
      time = time_of(mapping.levels[beside], bandwidths_[beside]);
    }
    if (time > best_time_) {
      return time;
    }
    const CoreLevels::Elements limits = max_elements_in_time();
    const auto elements =
        core_.elements(cut_of(tile), outputs_of(tile), c_.macs(), element_, &limits);
    for (std::size_t i = 0; i < beside; ++i) {
      mapping.levels[i] = Bytes(elements[i] * element_);
      time = std::max(time, time_of(mapping.levels[i], bandwidths_[i]));
    }
    return time;
  }

  // Elements that levels inside cores can move within the time of the best tiling.
  [[nodiscard]] CoreLevels::Elements max_elements_in_time() const {
    CoreLevels::Elements limits{};
    for (std::size_t i = 0; i < core_.count(); ++i) {
      limits[i] = bandwidths_[i] ? best_time_ * *bandwidths_[i] / Bytes(element_) / kBelowRounding
                                 : std::numeric_limits<double>::infinity();
    }
    return limits;
  }

  // Adds traffic into each shared level, from the inside outwards.
  void add_shared_traffic(const Tile& tile, Seconds time, Mapping& mapping) {
    const Block block =
        best_block(work_, tile.row.parts, tile.column.parts, space_.tiles_in_flight(tile));
    mapping.tiling.block_rows = block.rows;
    mapping.tiling.block_columns = block.columns;
    mapping.memory = block.bytes;
    const std::size_t levels = device_.levels.size();
    for (std::size_t i = core_.count(); i < levels; ++i) {
      const auto outside = i + 1 < levels ? bandwidths_[i + 1] : memory_bandwidth_;
      const StationaryOperand part = best_part(i, block, time, mapping.levels[i], outside);
      mapping.levels[i] += part.partial;
      (i + 1 < levels ? mapping.levels[i + 1] : mapping.memory) = part.outside;
      mapping.tiling.held = part.operand;
      mapping.tiling.held_rows = part.rows;
      mapping.tiling.held_columns = part.columns;
      time = std::max(
          {time, time_of(mapping.levels[i], bandwidths_[i]), time_of(part.outside, outside)});
    }
    mapping.memory += space_.partials_in_memory(tile);
    time = std::max(time, time_of(mapping.memory, memory_bandwidth_));
    if (is_better(time, mapping.memory)) {
      best_ = mapping;
      best_time_ = time;
    }
  }

  // The block or the stationary part of level i with the minimum time, then the fewest bytes.
  [[nodiscard]] StationaryOperand best_part(std::size_t i,
                                            const Block& block,
                                            Seconds time,
                                            Bytes inside,
                                            const std::optional<BytesPerSecond>& outside) const {
    const auto time_with = [&](const StationaryOperand& part) {
      return std::max(
          {time, time_of(inside + part.partial, bandwidths_[i]), time_of(part.outside, outside)});
    };
    StationaryOperand best{.outside = block.bytes};
    Seconds least = time_with(best);
    for (const StationaryOperand& part : stationary_[i]) {
      const Seconds part_time = time_with(part);
      if (part_time < least || (part_time == least && part.outside < best.outside)) {
        best = part;
        least = part_time;
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
  Seconds min_time_per_output_;  // per output at peak rate; a lower bound also after rounding
  double vector_cycles_;
  std::optional<BytesPerSecond> memory_bandwidth_;
  std::array<std::optional<BytesPerSecond>, chip::kMaxLevels + 1> bandwidths_{};
  std::array<std::vector<StationaryOperand>, chip::kMaxLevels> stationary_{};
  Bytes min_stationary_bytes_ = Bytes::infinity();  // minimum over all parts in the outermost level
  Seconds min_time_;           // lower bound of all tilings: matrix units at peak rate
  Bytes min_core_reads_{0.0};  // lower bound: outermost level inside cores, for those inside it
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
