// Admission of chunks to stations (bounded buffers with state machines).
//
// A chunk is at one station of each rank at a time. It enters the next one when that has room and,
// where it is processed, a free machine, both at once; only then does it release its room at the
// station before. A full station so blocks those before it, back to where chunks are admitted
// (back-pressure).
//
// No deadlock. Ranks exchange messages only when all have reached a phase with the same chunk, so
// two ranks that filled up with different chunks would wait for each other forever. Therefore a
// chunk gets a number when it is admitted at the first station of any rank, and at every station it
// enters before lower-numbered chunks only if it leaves enough for all of them. The unfinished
// chunk with the lowest number so finds what it needs at every station still ahead of it, and a
// station with room for one chunk is enough. Which chunk gets the next number is decided where room
// appears: among the programs that start there, by priority, then first or last in; parts of one
// collective alternate.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/program.hpp"
#include "cairn/sim/state_image.hpp"

namespace cairn::sim {

// A rank's request for room or a machine, or both, at the station of its next phase.
struct Request {
  std::uint32_t task = 0;
  std::uint32_t chunk = 0;
  std::uint32_t rank = 0;
  std::uint32_t slot = 0;  // of the PhaseRunner
  Id<Station> station{};
  bool takes_room = false;  // false: has it already
  double room = 0.0;
  bool machine = false;  // takes a machine
  bool enters = false;   // its first station; else it releases its room at `leaves`
  Id<Station> leaves{};
  double leaves_room = 0.0;
  SimTime asked{};  // set by request()
};

// What a rank requests at one station, for every chunk.
struct Need {
  Id<Station> station{};
  bool takes_room = false;
  double room = 0.0;  // per byte of the chunk
  bool machine = false;
};

class BufferAdmission {
 public:
  // `stations` must outlive this.
  explicit BufferAdmission(std::span<const Station> stations);

  void advance_to(SimTime now);

  // A program starts; `needs` are those of all its ranks.
  void enlist(std::uint32_t task, const PhaseProgram& program, std::vector<Need> needs);

  void request(const Request& request);

  // The number of an admitted chunk in the order of admission of all chunks; the same for all ranks
  // of a program.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t task, std::uint32_t chunk) const;

  void release_room(Id<Station> station, double room);
  void release_machine(Id<Station> station);

  // Grants what can be granted now. The span is valid until the next call.
  std::span<const Request> grant();

  // Chunks so far.
  [[nodiscard]] std::uint32_t admitted() const { return next_number_; }

  // Appends its state. Precondition: nothing can be granted.
  void append_state(const ChunksByTask& recurring, StateImage& image) const;

  // Goes on as if the periods had passed.
  void skip(const ChunksByTask& recurring, const Skip& skip, Growth& growth);

  // One line per waiting chunk: what it waits for, and how much is free. Empty: nothing waits.
  [[nodiscard]] std::string describe() const;

  [[nodiscard]] StationUse use(Id<Station> station) const;

  // By owner: the time during which any of its stations had a chunk.
  [[nodiscard]] std::vector<Seconds> busy() const;

 private:
  // A numbered chunk that still has to take its room or machine at a station.
  struct Ticket {
    std::uint32_t task;
    std::uint32_t chunk;
    double room;
  };

  using Tickets = std::deque<Ticket>;  // by number

  struct Place {
    std::uint32_t chunks = 0;  // that have room
    double room = 0.0;         // in use
    double machines = 0.0;     // in use
    Tickets room_tickets;
    Tickets machine_tickets;
    std::deque<Request> waiting;  // in order of arrival
    bool changed = false;
    SimTime updated;
    StationUse use;
  };

  struct RunningProgram {
    std::int32_t priority = 0;
    std::uint32_t issuer = 0;
    SimTime started;
    const PhaseProgram* program = nullptr;
    std::uint32_t chunks = 1;
    std::vector<std::uint32_t> numbers{};  // of the chunks admitted so far

    [[nodiscard]] std::uint32_t numbered() const {
      return static_cast<std::uint32_t>(numbers.size());
    }

    std::vector<Need> needs;
  };

  struct Owner {
    std::uint32_t chunks = 0;  // with room at its stations
    SimTime since;
    Seconds busy{};
  };

  // What lower-numbered chunks still have to take at a station; for a request without a number, all
  // numbered ones. Counting stops once the request no longer fits.
  struct Ahead {
    double room = 0.0;
    double machines = 0.0;
  };

  static bool is_of(const Ticket& ticket, const Request& request);
  static Tickets::const_iterator find(const Tickets& tickets, const Request& request);
  [[nodiscard]] Ahead ahead_of(std::uint32_t station, const Request& request) const;
  void grant_at(std::uint32_t station);
  [[nodiscard]] std::size_t next_in_order(std::uint32_t station) const;
  [[nodiscard]] std::size_t first_come(const Place& place) const;
  // The request to be admitted next among those without a number.
  [[nodiscard]] std::size_t next_without_number(std::uint32_t station) const;
  [[nodiscard]] bool precedes(const Request& a, const Request& b, GrantOrder order) const;
  [[nodiscard]] bool fits(std::uint32_t station, const Request& request, const Ahead& ahead) const;
  [[nodiscard]] bool fits_in_order(std::uint32_t station, const Request& request) const;
  void assign_number(std::uint32_t task);
  void take(std::uint32_t station, const Request& request);
  void count_time(Place& place) const;
  void mark_changed(std::uint32_t station);

  std::span<const Station> stations_;
  std::vector<Place> places_;             // by station
  std::vector<Owner> owners_;             // by owner
  std::vector<RunningProgram> programs_;  // by task
  std::vector<std::uint32_t> changed_;
  std::vector<Request> granted_;
  std::uint32_t next_number_ = 0;
  SimTime now_;
};

}  // namespace cairn::sim
