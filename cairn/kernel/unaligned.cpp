#include "cairn/kernel/unaligned.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/must_have.hpp"
#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

namespace {

using chip::UnalignedTiles;

const UnalignedTiles& tiles_of(const chip::Device& device) {
  return must_have(device.tiles.unaligned, "kernels for unaligned matrices");
}

Seconds load_time(const Work& work, const chip::Device& device) {
  const UnalignedTiles& tiles = tiles_of(device);
  const model::Contraction& c = must_have(work.contraction, "a contraction");
  const double outputs = parts(c.m, tiles.side) * parts(c.n, tiles.side) * c.count;  // in tiles
  const double slices = parts(c.k, tiles.slice);
  const Bytes slice = work.element() * (2.0 * tiles.side * tiles.slice);
  if (work.windows != Windows::kNone) {
    const Bytes per_cycle = tiles.windows_per_cycle.value_or(tiles.per_cycle);
    return slice * (outputs * slices / device.cores.count) / (per_cycle * device.cores.frequency);
  }
  const Seconds alone = slice / (tiles.per_cycle * device.cores.frequency);
  const auto together = [&](double count) { return std::max(tiles.latency, alone * count); };
  const double waves = parts(outputs, device.cores.count);
  const double full = std::floor(waves / tiles.at_once);
  const double rest = waves - full * tiles.at_once;
  return (together(tiles.at_once) * full + (rest > 0.0 ? together(rest) : Seconds(0.0))) * slices;
}

}  // namespace

bool is_unaligned(const Work& work, const chip::Device& device) {
  if (!device.tiles.unaligned || work.row_step == 0.0) {
    return false;
  }
  return std::fmod((work.element() * work.row_step).si(), tiles_of(device).alignment.si()) != 0.0;
}

Mapping unaligned_mapping(const Work& work, const chip::Device& device) {
  const UnalignedTiles& tiles = tiles_of(device);
  chip::Device squares = device;
  squares.tiles.sides = {tiles.side};
  squares.tiles.at_once = tiles.at_once;
  squares.tiles.splits = work.windows == Windows::kNone ? 1.0 : device.cores.count * tiles.at_once;
  Mapping mapping = best_mapping(work, squares);
  mapping.compute = std::max(mapping.compute, load_time(work, device));
  mapping.tiling.aligned = false;
  return mapping;
}

}  // namespace cairn::kernel
