#include "cairn/kernel/all_tilings.hpp"

#include <algorithm>

#include "cairn/kernel/block.hpp"
#include "cairn/kernel/held.hpp"
#include "cairn/kernel/tiles.hpp"

namespace cairn::kernel {

namespace {

// From the smallest, each once.
void sort_different(std::vector<Bytes>& amounts) {
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
  std::vector<Bytes> sums;  // parts of sums that cross, whatever else does
  const auto add = [&](const Tile& tile) {
    const Bytes crossing = space.sums_in_memory(tile);
    for_each_block(
        work, tile.row.parts, tile.column.parts, space.in_work(tile), [&](const Block& b) {
          amounts.push_back(b.bytes + crossing);
        });
    if (std::ranges::find(sums, crossing) == sums.end()) {
      sums.push_back(crossing);
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
    for_each_hold(
        work, device.cores.dataflow, device.levels.back().capacity, [&](const Hold& hold) {
          for (const Bytes crossing : sums) {
            amounts.push_back(hold.outside + crossing);
          }
        });
  }
  sort_different(amounts);
  return amounts;
}

}  // namespace cairn::kernel
