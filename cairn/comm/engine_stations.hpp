// A collectives engine as stations that chunks pass (sim/buffer_admission.hpp): a partition of its
// memory for each phase of a collective, with its state machines, and one for results that wait to
// be written. All devices have the same partitions.
//
// Stations are numbered along the phases of a device's own chunks: the k-th phase in which the
// device takes part is at its k-th station. Memory and state machines are divided by weights w_p,
// with c_p the bytes of a chunk in phase p:
//
//   heuristic  w_p = bandwidth of the phase's links x c_p     (Rashidi et al., ISCA 2021)
//   time       w_p = time of a chunk in the phase when alone; for memory, times c_p
//   equal      w_p = 1
//
// For memory, results have the weight of the last phase. Each partition holds at least one chunk:
// partitions below that are raised to it before the others divide the rest. Each phase has at least
// one state machine; each further one goes to the phase with the largest weight per machine.
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

// Needs of a chunk at a station.
struct StationNeed {
  double bytes = 0.0;      // of the partition
  double bandwidth = 0.0;  // of the links of its phase
  double seconds = 0.0;    // duration of its phase when alone
};

// Partition of the memory and state machines of each phase; the last partition is for results.
struct EngineShares {
  std::vector<double> room{};
  std::vector<double> machines{};
};

EngineShares divide(const EngineLimits& engine,
                    std::span<const StationNeed> phases,
                    double result_bytes);

class EngineStations {
 public:
  // `nodes`: number of devices, or of classes of devices.
  EngineStations(const EngineLimits& engine, std::size_t nodes);

  // The station of a device for its `phase`-th phase, or for results; created on first use.
  Id<sim::Station> at(sim::Program& program,
                      std::size_t node,
                      const std::string& name,
                      std::uint32_t phase);
  Id<sim::Station> results_at(sim::Program& program, std::size_t node, const std::string& name);

  // Raises the needs of a station to at least `need`.
  void require(std::uint32_t phase, const StationNeed& need);
  void require_results(double bytes);
  // Divides the engine over all stations by their needs.
  void divide(sim::Program& program) const;

  // Infeasible if the engine has too little memory or too few state machines.
  [[nodiscard]] std::optional<Infeasible> check_engines() const;

 private:
  Id<sim::Station> make(sim::Program& program, std::size_t node, std::string name, bool in_turn);

  EngineLimits engine_;
  std::vector<StationNeed> phases_;  // maximum over all collectives
  double result_bytes_ = 0.0;

  struct Place {
    Id<sim::Station> station{};
    std::optional<std::uint32_t> phase{};  // absent: for results
  };

  std::vector<Place> places_;
  std::vector<std::vector<Id<sim::Station>>> at_;         // by node and phase
  std::vector<std::optional<Id<sim::Station>>> results_;  // by node
};

// Infeasible if a chunk of the program does not fit into a station that it has to pass.
std::optional<Infeasible> check_chunks(const sim::Program& program);

}  // namespace cairn::comm
