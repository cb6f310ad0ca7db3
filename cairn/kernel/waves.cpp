#include "cairn/kernel/waves.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/kernel/core_levels.hpp"
#include "cairn/kernel/sides.hpp"
#include "cairn/kernel/unaligned.hpp"

namespace cairn::kernel {

double clusters_left(const chip::Device& device, double taken) {
  const double cluster = device.tiles.cluster;
  const double clusters = std::floor(device.cores.count / cluster);
  const double groups = std::min(device.cores.groups, std::max(1.0, clusters));
  const double smaller = std::floor(clusters / groups);
  const double larger = clusters - smaller * groups;  // groups with one more cluster
  // Once the smaller groups are full, only the larger ones are left.
  const double round_robin = std::min(taken, groups * smaller * cluster);
  const double each = std::floor(round_robin / groups);
  const double more = round_robin - each * groups;  // groups that lose one more core
  const double beyond = taken - round_robin;
  const auto left = [&](double group) {
    const double own = (smaller + (group < larger ? 1.0 : 0.0)) * cluster;
    const double lost = each + (group < more ? 1.0 : 0.0) +
                        (group < larger ? parts(std::max(0.0, beyond - group), larger) : 0.0);
    return std::max(0.0, std::floor((own - lost) / cluster));
  };
  double sum = 0.0;
  for (double group = 0.0; group < groups; group += 1.0) {
    sum += left(group);
  }
  return sum;
}

std::optional<double> clusters_of_tiles(const Work& work, const chip::Device& device) {
  if (!work.contraction || device.cores.fixed_utilization || is_unaligned(work, device)) {
    return std::nullopt;
  }
  const model::Contraction& c = *work.contraction;
  const double accumulators =
      device.tiles.accumulators.value_or(device.capacity_of_core()).si() / kAccumulatorBytes;
  const double room = clusters_left(device, 0.0);
  std::optional<double> best;
  double fewest = 0.0;
  double smallest = 0.0;
  for (const double rows : device.tiles.sides) {
    for (const double columns : device.tiles.sides) {
      const double outputs = rows * columns;
      if (outputs * device.tiles.at_once > accumulators) {
        continue;
      }
      const double clusters =
          parts(parts(c.m, rows) * parts(c.n, columns) * c.count, device.tiles.cluster);
      const double waves = parts(clusters, room);
      if (!best || waves < fewest || (waves == fewest && outputs < smallest)) {
        best = clusters;
        fewest = waves;
        smallest = outputs;
      }
    }
  }
  return best;
}

double waves_of(double clusters, double room, double idle_room) {
  const double started = std::min(clusters, idle_room);
  return parts(started, room) + parts(clusters - started, room);
}

}  // namespace cairn::kernel
