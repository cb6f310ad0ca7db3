// A collectives engine as stations that chunks pass (sim/passage.hpp): a partition of its memory
// for each phase of a collective, with the state machines that work there, and one for results
// that wait to be written. All devices have the same.
//
// Stations are counted along the way of a device's own chunks: the k-th phase in which the device
// takes part is at its k-th station. What an engine has is divided by weights w_p, with c_p what a
// chunk takes in phase p:
//
//   heuristic  w_p = bandwidth of the phase's links x c_p     (Rashidi et al., ISCA 2021)
//   time       w_p = how long a chunk takes in it when alone; of memory, times c_p
//   equal      w_p = 1
//
// Results count as the last phase does, for memory. No partition is smaller than one chunk: what
// proportion would leave below that gets it before the others divide the rest. No phase is without
// a state machine; each further one goes where there is most weight for each machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

// What a chunk meets at a station.
struct StationNeed {
  double bytes = 0.0;      // that it takes
  double bandwidth = 0.0;  // of the links that it goes over
  double seconds = 0.0;    // that its phase takes when alone
};

// Memory and state machines of each phase; the last partition is for results.
struct EngineShares {
  std::vector<double> room{};
  std::vector<double> machines{};
};

EngineShares divide(const EngineLimits& engine,
                    std::span<const StationNeed> phases,
                    double result_bytes);

class EngineStations {
 public:
  // `nodes`: devices, or classes of devices.
  EngineStations(const EngineLimits& engine, std::size_t nodes);

  // The station of a device for its `phase`-th phase, or for results; made when first asked for.
  Id<sim::Station> at(sim::Program& program,
                      std::size_t node,
                      const std::string& name,
                      std::uint32_t phase);
  Id<sim::Station> results_at(sim::Program& program, std::size_t node, const std::string& name);

  // Stations must do for what is met there, and give all of them their share.
  void meet(std::uint32_t phase, const StationNeed& need);
  void meet_results(double bytes);
  void divide(sim::Program& program) const;

  // What the engine has too little of, if anything.
  [[nodiscard]] std::optional<Infeasible> lacks() const;

 private:
  Id<sim::Station> make(sim::Program& program, std::size_t node, std::string name, bool in_turn);

  EngineLimits engine_;
  std::vector<StationNeed> phases_;  // the most that any collective needs
  double result_bytes_ = 0.0;

  struct Place {
    Id<sim::Station> station{};
    std::optional<std::uint32_t> phase{};  // else for results
  };

  std::vector<Place> places_;
  std::vector<std::vector<Id<sim::Station>>> at_;         // by node and phase
  std::vector<std::optional<Id<sim::Station>>> results_;  // by node
};

// Chunks that do not fit into a station that they have to pass: those of the program's parts.
std::optional<Infeasible> chunks_that_do_not_fit(const sim::Program& program);

}  // namespace cairn::comm
