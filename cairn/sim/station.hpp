// A station: a bounded buffer that chunks of phase programs pass, such as a partition of a
// collectives engine's SRAM with its state machines. A chunk that finds no room waits where it is.
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
  double machines = std::numeric_limits<double>::infinity();  // chunks processed at once
  std::uint32_t owner = 0;                                    // the engine it belongs to
  // Which of several programs of the highest priority sends the next chunk: the one that started
  // first, or last.
  GrantOrder order = GrantOrder::kFirstIn;
  // Chunks pass in the order of their admission to their first station, which is the same for all
  // ranks; see buffer_admission.hpp. False: first come, first served, for stations in which no
  // chunk waits for another rank.
  bool in_turn = true;
};

inline constexpr Id<Station> kNowhere{0xFFFFFFFF};

// The station that holds a rank's chunk during a phase.
struct Occupancy {
  Id<Station> station = kNowhere;  // kNowhere only in phases without lanes of this rank
  double room = 0.0;     // bytes per byte of the chunk; held until the next station has room
  bool machine = false;  // occupies one of the station's machines during the phase

  bool operator==(const Occupancy&) const = default;
};

// Usage of one member of a station class.
struct StationUse {
  double peak_room = 0.0;
  double peak_machines = 0.0;
  double room_seconds = 0.0;  // integrals over time
  double machine_seconds = 0.0;
};

}  // namespace cairn::sim
