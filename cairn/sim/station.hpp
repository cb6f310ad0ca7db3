// A station: a place that chunks of phase programs pass, as a partition of an engine's memory with
// the state machines that work on it. It has room for some bytes and some machines; a chunk that
// finds no room waits where it is.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "cairn/base/id.hpp"
#include "cairn/sim/law.hpp"

namespace cairn::sim {

struct Station {
  std::string name{};
  double room = std::numeric_limits<double>::infinity();      // bytes
  double machines = std::numeric_limits<double>::infinity();  // chunks that are worked on at once
  std::uint32_t owner = 0;                                    // stations of one engine: its number
  // Which of several programs sends the next chunk in, among those of highest priority: the one
  // that started first, or last.
  GrantOrder order = GrantOrder::kFirstIn;
  // Chunks pass in the order in which they were let in at the first station of their way, which is
  // the same for all ranks; see passage.hpp. False: as they come, for stations in which no chunk
  // waits for another rank.
  bool in_turn = true;
};

inline constexpr Id<Station> kNowhere{0xFFFFFFFF};

// Where a rank keeps a chunk during a phase.
struct Stay {
  Id<Station> station = kNowhere;  // only of phases in which the rank has no lanes
  double room = 0.0;  // bytes per byte of the chunk; kept until there is room at the next station
  bool machine = false;  // one of the station's machines works on it for as long as the phase takes

  bool operator==(const Stay&) const = default;
};

// What was in use of one member.
struct StationUse {
  double peak_room = 0.0;
  double peak_machines = 0.0;
  double room_seconds = 0.0;  // integrals over time
  double machine_seconds = 0.0;
};

}  // namespace cairn::sim
