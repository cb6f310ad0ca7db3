// The result of a simulation: when each task ran and how much each resource was used; every single
// activity (a span) only on request.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/sim_time.hpp"
#include "cairn/sim/station.hpp"

namespace cairn::sim {

struct TaskTime {
  SimTime started;
  SimTime finished;
};

struct ResourceUse {
  double drawn = 0.0;      // shared resources: units drawn from one member
  double peak_held = 0.0;  // held resources: maximum held at once
};

struct Span {
  std::uint32_t task = 0;
  std::uint32_t lane = 0;   // of a phase program
  std::uint32_t chunk = 0;  // of a phase program
  SimTime submitted;
  SimTime admitted;
  SimTime finished;
};

struct Timeline {
  SimTime end;
  std::uint64_t events = 0;
  std::vector<TaskTime> tasks;        // by task
  std::vector<ResourceUse> use;       // by resource
  std::vector<StationUse> stations;   // by station
  std::vector<Seconds> station_busy;  // by owner of stations: time with a chunk
  std::vector<Span> spans;            // in order of completion; empty unless recorded
};

// Infeasible if the simulation went past the end of the clock.
inline std::optional<Infeasible> check_end(const Timeline& timeline) {
  return timeline.end == SimTime::never()
             ? std::optional(
                   Infeasible{Lack::kSimulatedTime, "it exceeds 106 days, the simulator's maximum"})
             : std::nullopt;
}

}  // namespace cairn::sim
