#include "cairn/comm/engine_stations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cairn/base/quantity_text.hpp"

namespace cairn::comm {

namespace {

// `total` in proportion to `weights`, but at least `minimum` for each.
std::vector<double> in_proportion(double total,
                                  const std::vector<double>& weights,
                                  const std::vector<double>& minimum) {
  std::vector<double> shares = minimum;
  std::vector<bool> settled(weights.size(), false);
  while (true) {
    double left = total;
    double weight = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      left -= settled[i] ? minimum[i] : 0.0;
      weight += settled[i] ? 0.0 : weights[i];
    }
    bool all_fit = true;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!settled[i]) {
        shares[i] = weight > 0.0 ? left * (weights[i] / weight) : 0.0;
        if (shares[i] < minimum[i]) {
          shares[i] = minimum[i];
          settled[i] = true;
          all_fit = false;
        }
      }
    }
    if (all_fit) {
      return shares;
    }
  }
}

// One each; each further one goes to the largest weight per machine. So no phase loses a machine
// when the total grows, and the smallest machines per weight are maximized.
std::vector<double> one_by_one(double total, const std::vector<double>& weights) {
  std::vector<double> shares(weights.size(), 1.0);
  for (double left = total - static_cast<double>(weights.size()); left >= 1.0; left -= 1.0) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < weights.size(); ++i) {
      best = weights[i] / shares[i] > weights[best] / shares[best] * (1.0 + 1e-12) ? i : best;
    }
    shares[best] += 1.0;
  }
  return shares;
}

}  // namespace

EngineShares divide(const EngineLimits& engine,
                    std::span<const StationNeed> phases,
                    double result_bytes) {
  std::vector<double> minimum_room;
  std::vector<double> of_room;
  std::vector<double> of_machines;
  for (const StationNeed& phase : phases) {
    const double weight = engine.split == chip::EngineSplit::kHeuristic ? phase.bandwidth
                          : engine.split == chip::EngineSplit::kTime    ? phase.seconds
                                                                        : 1.0;
    const bool equal = engine.split == chip::EngineSplit::kEqual;
    const bool by_time = engine.split == chip::EngineSplit::kTime;
    minimum_room.push_back(phase.bytes);
    of_room.push_back(equal ? 1.0 : weight * phase.bytes);
    of_machines.push_back(equal || by_time ? weight : weight * phase.bytes);
  }
  minimum_room.push_back(result_bytes);
  const StationNeed& last = phases.back();
  of_room.push_back(last.bytes > 0.0 && engine.split != chip::EngineSplit::kEqual
                        ? of_room.back() * result_bytes / last.bytes
                        : of_room.back());
  EngineShares shares;
  shares.room = std::isfinite(engine.sram.si())
                    ? in_proportion(engine.sram.si(), of_room, minimum_room)
                    : std::vector<double>(of_room.size(), engine.sram.si());
  shares.machines = std::isfinite(engine.fsms)
                        ? one_by_one(engine.fsms, of_machines)
                        : std::vector<double>(of_machines.size(), engine.fsms);
  return shares;
}

EngineStations::EngineStations(const EngineLimits& engine, std::size_t nodes)
    : engine_(engine), at_(nodes), results_(nodes) {}

Id<sim::Station> EngineStations::make(sim::Program& program,
                                      std::size_t node,
                                      std::string name,
                                      bool in_turn) {
  return program.add(sim::Station{.name = std::move(name),
                                  .owner = static_cast<std::uint32_t>(node),
                                  .order = engine_.order == chip::EngineOrder::kLifo
                                               ? sim::GrantOrder::kLastIn
                                               : sim::GrantOrder::kFirstIn,
                                  .in_turn = in_turn});
}

Id<sim::Station> EngineStations::at(sim::Program& program,
                                    std::size_t node,
                                    const std::string& name,
                                    std::uint32_t phase) {
  std::vector<Id<sim::Station>>& stations = at_[node];
  while (stations.size() <= phase) {
    const auto next = static_cast<std::uint32_t>(stations.size());
    stations.push_back(
        make(program, node, fmt::format("engine of {}, phase {}", name, next), true));
    places_.push_back({.station = stations.back(), .phase = next});
  }
  return stations[phase];
}

Id<sim::Station> EngineStations::results_at(sim::Program& program,
                                            std::size_t node,
                                            const std::string& name) {
  std::optional<Id<sim::Station>>& station = results_[node];
  if (!station) {
    station = make(program, node, fmt::format("engine of {}, results", name), false);
    places_.push_back({.station = *station});
  }
  return *station;
}

void EngineStations::require(std::uint32_t phase, const StationNeed& need) {
  phases_.resize(std::max(phases_.size(), std::size_t{phase} + 1));
  StationNeed& maximum = phases_[phase];
  maximum.bytes = std::max(maximum.bytes, need.bytes);
  maximum.bandwidth = std::max(maximum.bandwidth, need.bandwidth);
  maximum.seconds = std::max(maximum.seconds, need.seconds);
}

void EngineStations::require_results(double bytes) {
  result_bytes_ = std::max(result_bytes_, bytes);
}

void EngineStations::divide(sim::Program& program) const {
  if (phases_.empty() || check_engines()) {
    return;
  }
  const EngineShares shares = comm::divide(engine_, phases_, result_bytes_);
  for (const Place& place : places_) {
    sim::Station& station = program.stations[place.station.index()];
    station.room = place.phase ? shares.room[*place.phase] : shares.room.back();
    if (place.phase) {
      station.machines = shares.machines[*place.phase];
    }
  }
}

std::optional<Infeasible> EngineStations::check_engines() const {
  double bytes = result_bytes_;
  double largest = result_bytes_;
  for (const StationNeed& phase : phases_) {
    bytes += phase.bytes;
    largest = std::max(largest, phase.bytes);
  }
  const auto stations = static_cast<double>(phases_.size() + 1);
  const double needed = engine_.split == chip::EngineSplit::kEqual ? largest * stations : bytes;
  if (needed > engine_.sram.si() * (1.0 + 1e-12)) {
    return Infeasible{
        Lack::kEngineSram,
        fmt::format("{} of SRAM, split over {} phases and results ({}), hold less than one chunk "
                    "in some of them (needs {})",
                    to_text(engine_.sram),
                    phases_.size(),
                    enum_name(engine_.split),
                    to_text(Bytes(needed)))};
  }
  if (engine_.fsms < static_cast<double>(phases_.size())) {
    return Infeasible{
        Lack::kEngineFsms,
        fmt::format(
            "{:.15g} state machines for {} phases (needs one each)", engine_.fsms, phases_.size())};
  }
  return std::nullopt;
}

std::optional<Infeasible> check_chunks(const sim::Program& program) {
  for (const sim::Task& task : program.tasks) {
    const auto* part = std::get_if<sim::PhaseProgram>(&task.what);
    if (part == nullptr) {
      continue;
    }
    const double chunk = part->chunk_bytes(0);
    for (const sim::Occupancy& occupancy : part->occupancies) {
      if (occupancy.station == sim::kNowhere) {
        continue;
      }
      const sim::Station& station = program.stations[occupancy.station.index()];
      if (occupancy.room * chunk > station.room * (1.0 + 1e-9)) {
        return Infeasible{Lack::kEngineSram,
                          fmt::format("a chunk needs {} in {}, which has {}",
                                      to_text(Bytes(occupancy.room * chunk)),
                                      station.name,
                                      to_text(Bytes(station.room)))};
      }
    }
  }
  return std::nullopt;
}

}  // namespace cairn::comm
