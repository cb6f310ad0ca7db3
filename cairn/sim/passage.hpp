// The passage of chunks through stations.
//
// A chunk is at one station of each rank at a time. It enters the next one when that has room for
// it and, where it is to be worked on, a machine, both at once; only then it gives back its room at
// the one before. So a full station holds up those before it, up to where chunks come in.
//
// No deadlock. Ranks exchange messages only when all have come to a phase with the same chunk, so
// two ranks that filled up with different chunks would wait for each other for ever. Therefore
// chunks have turns: when a chunk is let in at the first station of some rank, it gets a number,
// and at every station a chunk enters before those with lower numbers only if it leaves enough for
// all of them. The unfinished chunk with the lowest number so finds what it needs at any station
// that it has yet to enter, and a station that holds one chunk is enough. Which chunk gets the next
// number is decided where there is room for it: of the programs that start there, by priority, then
// first or last in; parts of one collective take turns.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::sim {

// A rank asks for what it does not have yet at the station of its next phase.
struct Visit {
  std::uint32_t task = 0;
  std::uint32_t chunk = 0;
  std::uint32_t rank = 0;
  std::uint32_t slot = 0;  // the runner's own
  Id<Station> station{};
  bool moves = false;  // takes room there; false: has it already
  double room = 0.0;
  bool machine = false;  // takes a machine
  bool enters = false;   // its first station; else it gives back its room at another
  Id<Station> leaves{};
  double leaves_room = 0.0;
  SimTime asked{};  // set by request()
};

// What a rank asks for on its way, for every chunk.
struct Turn {
  Id<Station> station{};
  bool moves = false;  // takes room
  double room = 0.0;   // per byte of the chunk
  bool machine = false;
};

class Passage {
 public:
  // `stations` must outlive the passage.
  explicit Passage(std::span<const Station> stations);

  void advance_to(SimTime now);

  // A program starts; `turns` of all its ranks.
  void enlist(std::uint32_t task, const PhaseProgram& program, std::vector<Turn> turns);

  void request(const Visit& visit);

  // When a chunk that has been let in was, among all chunks; of equal programs the same for all
  // ranks.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t task, std::uint32_t chunk) const;

  void give_back_room(Id<Station> station, double room);
  void give_back_machine(Id<Station> station);

  // Grants what can be granted now. The span is valid until the next call.
  std::span<const Visit> grant();

  // One line per waiting chunk: what it waits for, and how much is left. Empty: nobody waits.
  [[nodiscard]] std::string describe() const;

  [[nodiscard]] StationUse use(Id<Station> station) const;

  // By owner: how long any of its stations had a chunk.
  [[nodiscard]] std::vector<Seconds> busy() const;

 private:
  // A chunk that has a number and has yet to take what it needs at a station.
  struct Ticket {
    std::uint32_t task;
    std::uint32_t chunk;
    double room;
  };

  using Turns = std::deque<Ticket>;  // by number

  struct Place {
    std::uint32_t chunks = 0;  // that have room
    double room = 0.0;         // in use
    double machines = 0.0;     // likewise
    Turns room_turns;
    Turns machine_turns;
    std::deque<Visit> waiting;  // as they came
    bool changed = false;
    SimTime updated;
    StationUse use;
  };

  struct Party {
    std::int32_t priority = 0;
    std::uint32_t issuer = 0;
    SimTime started;
    const PhaseProgram* program = nullptr;
    std::uint32_t chunks = 1;
    std::vector<std::uint32_t> numbers{};  // of the chunks that have had theirs

    [[nodiscard]] std::uint32_t numbered() const {
      return static_cast<std::uint32_t>(numbers.size());
    }

    std::vector<Turn> turns;
  };

  struct Owner {
    std::uint32_t chunks = 0;  // with room at its stations
    SimTime since;
    Seconds busy{};
  };

  // What those with lower numbers than a visit have yet to take; of all, if it has none. Counting
  // ends where there cannot be enough left.
  struct Ahead {
    double room = 0.0;
    double machines = 0.0;
  };

  static bool is_of(const Ticket& ticket, const Visit& visit);
  static Turns::const_iterator find(const Turns& turns, const Visit& visit);
  [[nodiscard]] Ahead ahead_of(std::uint32_t station, const Visit& visit) const;
  void grant_at(std::uint32_t station);
  [[nodiscard]] std::size_t next_in_turn(std::uint32_t station) const;
  [[nodiscard]] std::size_t next_as_they_come(const Place& place) const;
  // The visit that is to be let in next, of those without a number.
  [[nodiscard]] std::size_t next_without_number(std::uint32_t station) const;
  [[nodiscard]] bool goes_before(const Visit& a, const Visit& b, GrantOrder order) const;
  [[nodiscard]] bool fits(std::uint32_t station, const Visit& visit, const Ahead& ahead) const;
  [[nodiscard]] bool fits_in_turn(std::uint32_t station, const Visit& visit) const;
  void number(std::uint32_t task);
  void take(std::uint32_t station, const Visit& visit);
  void count_time(Place& place) const;
  void mark_changed(std::uint32_t station);

  std::span<const Station> stations_;
  std::vector<Place> places_;   // by station
  std::vector<Owner> owners_;   // by owner
  std::vector<Party> parties_;  // by task
  std::vector<std::uint32_t> changed_;
  std::vector<Visit> granted_;
  std::uint32_t next_number_ = 0;
  SimTime now_;
};

}  // namespace cairn::sim
