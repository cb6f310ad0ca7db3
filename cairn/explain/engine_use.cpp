#include "cairn/explain/engine_use.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cairn::explain {

namespace {

// Fraction of the time that counts as always in use.
constexpr double kAlways = 0.9;

// The owner whose state machines were busy longest; the first of equals.
std::uint32_t busiest_owner(const sim::Program& program, const sim::Timeline& timeline) {
  std::vector<double> worked(timeline.station_busy.size(), 0.0);
  for (std::size_t s = 0; s < program.stations.size(); ++s) {
    worked[program.stations[s].owner] += timeline.stations[s].machine_seconds;
  }
  return static_cast<std::uint32_t>(std::ranges::max_element(worked) - worked.begin());
}

}  // namespace

EngineUse engine_use(const sim::Program& program, const sim::Timeline& timeline) {
  EngineUse use;
  const double seconds = timeline.end.since(SimTime{}).si();
  if (program.stations.empty() || !(seconds > 0.0)) {
    return use;
  }
  const std::uint32_t owner = busiest_owner(program, timeline);
  use.busy = timeline.station_busy[owner].si() / seconds;
  double worked = 0.0;
  for (std::size_t s = 0; s < program.stations.size(); ++s) {
    const sim::Station& station = program.stations[s];
    if (station.owner != owner) {
      continue;
    }
    const sim::StationUse& here = timeline.stations[s];
    // The partition of results has no state machines.
    const double machines = station.in_turn ? station.machines : 0.0;
    use.partitions.push_back(
        {.name = station.name,
         .room = Bytes(station.room),
         .peak = Bytes(here.peak_room),
         .mean = Bytes(here.room_seconds / seconds),
         .machines = machines,
         .machines_busy = machines > 0.0 ? here.machine_seconds / (machines * seconds) : 0.0});
    use.peak += Bytes(here.peak_room);
    use.machines += machines;
    worked += here.machine_seconds;
  }
  use.machines_busy = worked / (use.machines * seconds);
  return use;
}

std::string engine_bound(const EngineUse& use) {
  for (std::size_t i = use.partitions.size(); i > 0; --i) {
    const PartitionUse& partition = use.partitions[i - 1];
    if (partition.machines_busy >= kAlways) {
      return "state machines of " + partition.name;
    }
    if (partition.mean >= partition.room * kAlways) {
      return "memory of " + partition.name;
    }
  }
  return "";
}

}  // namespace cairn::explain
