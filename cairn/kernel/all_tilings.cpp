#include "cairn/kernel/all_tilings.hpp"

#include <algorithm>

#include "cairn/kernel/block.hpp"
#include "cairn/kernel/stationary_operand.hpp"
#include "cairn/kernel/tiles.hpp"

namespace cairn::kernel {

namespace {

// Ascending, without duplicates.
void sort_unique(std::vector<Bytes>& amounts) {
  std::ranges::sort(amounts);
  const auto rest = std::ranges::unique(amounts);
  amounts.erase(rest.begin(), rest.end());
}

}  // namespace

std::vector<Bytes> memory_of_all_tilings(const Work& work, const chip::Device& device) {
  const MatrixUnit unit(device, work.precision);
  const CoreLevels core(device, unit);
  const TileSpace space(work, device, unit, core.count());
  std::vector<Bytes> amounts;
  std::vector<Bytes> partials;  // traffic of split-K partial sums
  const auto add = [&](const Tile& tile) {
    const Bytes crossing = space.partials_in_memory(tile);
    for_each_block(
        work, tile.row.parts, tile.column.parts, space.tiles_in_flight(tile), [&](const Block& b) {
          amounts.push_back(b.bytes + crossing);
        });
    if (std::ranges::find(partials, crossing) == partials.end()) {
      partials.push_back(crossing);
    }
  };
  for (const Side& row : space.rows()) {
    const double widest = space.widest(row.length);
    for (const Side& column : space.columns()) {
      if (column.length <= widest) {
        space.for_each_split(row, column, add);
      }
    }
  }
  if (amounts.empty()) {
    space.for_each_split(space.rows().back(), space.columns().back(), add);
  }
  if (device.levels.size() > core.count()) {
    for_each_stationary_operand(work,
                                device.cores.dataflow,
                                device.levels.back().capacity,
                                [&](const StationaryOperand& part) {
                                  for (const Bytes crossing : partials) {
                                    amounts.push_back(part.outside + crossing);
                                  }
                                });
  }
  sort_unique(amounts);
  return amounts;
}

}  // namespace cairn::kernel
