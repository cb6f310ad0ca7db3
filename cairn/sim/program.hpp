// The input of a simulation: tasks with dependencies. A task is one activity, or a whole collective
// in compact form: a phase program, which describes the messages between ranks by counters instead
// of listing them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cairn/base/id.hpp"
#include "cairn/sim/law.hpp"
#include "cairn/sim/station.hpp"

namespace cairn::sim {

// One message per step from rank to rank (or from rank class to rank class, when folded).
struct Lane {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double work = 0.0;  // bytes per step and per byte of the chunk
  Id<Demand> demand{};

  // Collapsed phases only (see collapse_steps): upper bounds of one step of this lane when the
  // collective runs alone.
  Seconds step_latency{};
  double step_rate = 0.0;
};

// In each of `steps` steps, every rank exchanges one message on each of its lanes. A lane starts
// when both its ends have reached the step; a rank proceeds when all its lanes, in and out, have
// delivered.
struct Phase {
  std::uint32_t steps = 1;
  std::uint32_t first_lane = 0;
  std::uint32_t end_lane = 0;
  bool collapsed = false;
  std::uint32_t place = 0;  // messages of phases with a lower place count as older; below kPlaces
};

// The age of a message in 64 bits: turn, then place, then chunk.
inline constexpr std::uint32_t kPlaces = 1U << 10U;
inline constexpr std::uint32_t kTurns = 1U << 22U;

// The payload is cut into chunks; each goes through all phases in order, and up to `window` chunks
// are in flight at a rank at once, so that chunks overlap as in a pipeline.
struct PhaseProgram {
  std::string name{};
  Id<Issuer> issuer{};
  std::uint32_t ranks = 0;
  std::vector<Phase> phases{};
  std::vector<Lane> lanes{};
  double payload = 0.0;     // bytes
  double chunk_size = 0.0;  // bytes; the last chunk is the remainder
  std::uint32_t window = 1;
  std::int32_t priority = 0;
  std::uint32_t turn = 0;  // messages of programs with a lower turn count as older; below kTurns
  Seconds start{};         // delay before its first messages
  std::vector<Occupancy> occupancies{};  // by phase, then rank; empty: no stations

  [[nodiscard]] std::uint32_t chunks() const;
  [[nodiscard]] double chunk_bytes(std::uint32_t chunk) const;
};

struct Task {
  std::variant<Activity, PhaseProgram> what;
  std::vector<Id<Task>> after{};  // tasks that must finish first
};

struct Program {
  std::vector<Resource> resources;
  std::vector<Issuer> issuers;
  std::vector<Demand> demands;
  std::vector<Task> tasks;
  std::vector<Station> stations{};

  Id<Resource> add(Resource resource);
  Id<Issuer> add(Issuer issuer);
  Id<Demand> add(Demand demand);
  Id<Task> add(Task task);
  Id<Station> add(Station station);
};

}  // namespace cairn::sim
