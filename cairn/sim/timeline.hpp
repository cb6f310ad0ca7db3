// What a simulation leaves behind: when each task ran and how much each resource gave; every single
// activity (a span) only when asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/station.hpp"

namespace cairn::sim {

struct TaskTime {
  SimTime started;
  SimTime finished;
};

struct ResourceUse {
  double drawn = 0.0;      // shared resources: units drawn from one member
  double peak_held = 0.0;  // held resources: the most held at once
};

struct Span {
  std::uint32_t task = 0;
  std::uint32_t lane = 0;   // of a phase program
  std::uint32_t chunk = 0;  // likewise
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
  std::vector<Seconds> station_busy;  // by owner of stations: how long there was a chunk
  std::vector<Span> spans;            // in order of completion; empty unless recorded
};

}  // namespace cairn::sim
