#include "cairn/kernel/cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace cairn::kernel {

namespace {

using model::Contraction;

// Accumulators are wider than operands.
constexpr double kAccumulatorBytes = 4.0;

// Slices of the operands that a PE holds: this many steps of k, twice (one is filled while the
// other is used).
constexpr double kSliceSteps = 16.0;

// Sides of a tile: powers of two, and these times 5 and 25, which suit arrays of 125 MACs.
constexpr std::array kSides{1.0,
                            2.0,
                            4.0,
                            5.0,
                            8.0,
                            10.0,
                            16.0,
                            20.0,
                            25.0,
                            32.0,
                            40.0,
                            50.0,
                            64.0,
                            80.0,
                            96.0,
                            100.0,
                            125.0,
                            128.0};

// What of a device its tiles see.
struct Array {
  double pes = 1.0;
  double macs_per_pe = 1.0;
  Hertz frequency{};
  double capacity_of_pe = 0.0;

  Array(const chip::Device& device, chip::Precision precision)
      : pes(device.cores.count),
        macs_per_pe(device.macs_per_cycle_and_core(precision)),
        frequency(device.cores.frequency),
        capacity_of_pe(device.capacity_of_core().si()) {}
};

struct Mapping {
  double cycles = 0.0;
  Bytes memory{0.0};
  Tiling tiling{};
};

// A single output always does.
bool fits(double rows, double columns, double element, double sram) {
  return rows * columns == 1.0 ||
         rows * columns * kAccumulatorBytes + 2.0 * (rows + columns) * kSliceSteps * element <=
             sram;
}

// With tiles given: how many there are, and the block that needs the fewest bytes.
class Tiles {
 public:
  Tiles(const Work& work,
        const Contraction& contraction,
        const Array& array,
        double rows,
        double columns)
      : work_(work),
        contraction_(contraction),
        array_(array),
        rows_(rows),
        columns_(columns),
        down_(std::ceil(contraction.m / rows)),
        across_(std::ceil(contraction.n / columns)) {}

  [[nodiscard]] double cycles() const {
    const double waves = std::ceil(down_ * across_ * contraction_.count / array_.pes);
    return waves * std::ceil(rows_ * columns_ / array_.macs_per_pe) * contraction_.k;
  }

  // A block of b x p/b tiles. Reading left and right once each is the least; else the best b is
  // where both cost the same, so the powers of two around it are tried.
  [[nodiscard]] Mapping best_block() const {
    Mapping best{.cycles = cycles(), .memory = Bytes(INFINITY)};
    const int doublings = std::ilogb(array_.pes);  // 2^doublings is no more than the PEs
    double block_rows = 1.0;
    for (int i = 0; i <= doublings; ++i) {
      const double block_columns = std::floor(array_.pes / block_rows);
      const double passes_left = std::ceil(across_ / block_columns);
      const double passes_right = std::ceil(down_ / block_rows);
      const Bytes memory = work_.left * passes_left + work_.right * passes_right + work_.other;
      if (memory < best.memory) {
        best.memory = memory;
        best.tiling = {.tile_rows = rows_,
                       .tile_columns = columns_,
                       .block_rows = std::min(block_rows, down_),
                       .block_columns = std::min(block_columns, across_)};
      }
      block_rows *= 2.0;
    }
    return best;
  }

 private:
  const Work& work_;
  const Contraction& contraction_;
  const Array& array_;
  double rows_;
  double columns_;
  double down_;    // tiles from top to bottom of the output
  double across_;  // and from left to right
};

Seconds time_of(const Mapping& mapping, const chip::Device& device) {
  return std::max(mapping.cycles / device.cores.frequency,
                  mapping.memory / device.memory.bandwidth);
}

Mapping best_mapping(const Work& work, const Contraction& contraction, const chip::Device& device) {
  const Array array(device, work.precision);
  const std::span<const double> sides =
      device.tiles.sides.empty() ? std::span<const double>(kSides) : device.tiles.sides;
  Mapping best;
  Seconds best_time(INFINITY);
  for (const double rows : sides) {
    for (const double columns : sides) {
      if (!fits(rows, columns, work.element().si(), array.capacity_of_pe)) {
        continue;
      }
      const Tiles tiles(work, contraction, array, rows, columns);
      if (tiles.cycles() / array.frequency > best_time) {
        continue;
      }
      const Mapping mapping = tiles.best_block();
      const Seconds time = time_of(mapping, device);
      if (time < best_time || (time == best_time && mapping.memory < best.memory)) {
        best = mapping;
        best_time = time;
      }
    }
  }
  return best;
}

// Operands travel from memory into SRAM and from there to the MACs, once per use by a PE.
Bytes sram_traffic(const Work& work, const Contraction& contraction, const Mapping& mapping) {
  const double macs = contraction.macs();
  const Tiling& t = mapping.tiling;
  const double reads = macs / t.tile_columns + macs / t.tile_rows;
  return mapping.memory + work.element() * reads;
}

}  // namespace

std::string_view to_text(BoundBy bound) {
  switch (bound) {
    case BoundBy::kCompute:
      return "compute";
    case BoundBy::kMemoryBandwidth:
      return "memory bandwidth";
    case BoundBy::kLatency:
      break;
  }
  return "latency";
}

Cost cost(const Work& work, const chip::Device& device) {
  const Array array(device, work.precision);
  const double lanes = array.pes * array.macs_per_pe;
  const double vector_lanes = array.pes * device.cores.vector.si();
  Mapping mapping{.memory = work.bytes()};
  Cost result;
  if (work.contraction && !device.cores.fixed_utilization) {
    mapping = best_mapping(work, *work.contraction, device);
    result.sram = sram_traffic(work, *work.contraction, mapping);
  } else if (work.contraction) {
    mapping.cycles = work.macs() / (lanes * *device.cores.fixed_utilization);
  }
  mapping.cycles += work.vector_ops / vector_lanes;
  result.compute = mapping.cycles / array.frequency;
  result.memory = mapping.memory;
  result.tiling = mapping.tiling;
  const Seconds busy = time_of(mapping, device);
  result.time = busy + device.memory.latency;
  result.utilization =
      result.time > Seconds(0.0)
          ? work.macs() / (device.macs_per_second(work.precision) * result.time.si())
          : 0.0;
  if (busy < device.memory.latency) {
    result.bound_by = BoundBy::kLatency;
  } else {
    result.bound_by = result.compute >= mapping.memory / device.memory.bandwidth
                          ? BoundBy::kCompute
                          : BoundBy::kMemoryBandwidth;
  }
  return result;
}

}  // namespace cairn::kernel
