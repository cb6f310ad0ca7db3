// The stations that chunks pass in the collectives engines of devices, phase by phase.
#include <algorithm>
#include <cmath>

#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

namespace {

constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

}  // namespace

// Needs of a chunk of `chunk` bytes on this lane when alone on its links.
StationNeed ProgramBuilder::need_of(const sim::Lane& lane, double chunk) const {
  const sim::Demand& demand = result_.program.demands[lane.demand.index()];
  StationNeed need{.bandwidth = demand.speed_limit};
  for (const sim::Draw& draw : demand.draws) {
    const std::size_t resource = draw.resource.index();
    if (result_.traffic[resource].kind != ResourceKind::kEndpoint) {
      const double capacity = result_.program.resources[resource].capacity;
      need.bandwidth = std::min(need.bandwidth, capacity / draw.amount);
    }
  }
  need.seconds = demand.latency.si() + lane.work * chunk / need.bandwidth;
  return need;
}

void ProgramBuilder::pass_engines(std::span<const Buffers> buffers,
                                  const GroupLayout& layout,
                                  const Part& part,
                                  const DmaPhases& dma,
                                  sim::PhaseProgram& phases) {
  if (!std::isfinite(endpoint_.engine.sram.si()) && !std::isfinite(endpoint_.engine.fsms)) {
    return;
  }
  const double chunk = endpoint_.engine.chunk.value_or(Bytes(phases.chunk_size)).si();
  const std::size_t first = dma.in ? 1 : 0;
  std::vector<std::uint32_t> passed(phases.ranks, 0);  // phases in which a rank took part so far
  phases.occupancies.assign(phases.phases.size() * phases.ranks, {});
  for (std::size_t p = 0; p < part.phases.size(); ++p) {
    std::vector<std::uint32_t> place(phases.ranks, kAbsent);
    const sim::Phase& phase = phases.phases[first + p];
    const auto takes_part = [&](std::uint32_t rank) {
      if (place[rank] == kAbsent) {
        place[rank] = passed[rank]++;
      }
      return place[rank];
    };
    const double resident = part.phases[p].resident;
    for (std::uint32_t l = phase.first_lane; l < phase.end_lane; ++l) {
      StationNeed need = need_of(phases.lanes[l], chunk);
      need.bytes = resident * chunk;
      need.seconds *= phase.steps;
      stations_.require(takes_part(phases.lanes[l].from), need);
      stations_.require(takes_part(phases.lanes[l].to), need);
    }
    for (std::uint32_t rank = 0; rank < phases.ranks; ++rank) {
      if (place[rank] == kAbsent) {
        continue;
      }
      sim::Occupancy& occupancy = phases.occupancies[(first + p) * phases.ranks + rank];
      occupancy = {
          .station = engine_station(layout, rank, place[rank]), .room = resident, .machine = true};
      if (dma.in && place[rank] == 0) {
        // DMA reads the chunk into the partition of its first phase.
        phases.occupancies[rank] = {.station = occupancy.station, .room = resident};
      }
    }
  }
  for (std::uint32_t rank = 0; rank < phases.ranks && dma.out; ++rank) {
    const double out = buffers[rank].out;
    if (out == 0.0) {
      continue;
    }
    stations_.require_results(out * chunk);
    phases.occupancies[(phases.phases.size() - 1) * phases.ranks + rank] = {
        .station = engine_station(layout, rank, kResults), .room = out};
  }
  stations_.divide(result_.program);
}

// Limits the window to the chunks that fit into the divided engine of a device.
void ProgramBuilder::cap_window(sim::PhaseProgram& phases) const {
  if (phases.occupancies.empty()) {
    return;
  }
  double most = 0.0;
  for (std::size_t i = 0; i < phases.occupancies.size(); i += phases.ranks) {
    double here = 0.0;  // chunks of the rank with the most room
    for (std::uint32_t rank = 0; rank < phases.ranks; ++rank) {
      const sim::Occupancy& occupancy = phases.occupancies[i + rank];
      if (occupancy.station != sim::kNowhere && occupancy.room > 0.0) {
        const sim::Station& station = result_.program.stations[occupancy.station.index()];
        here = std::max(here, std::ceil(station.room / (occupancy.room * phases.chunk_size)));
      }
    }
    most += here;
  }
  phases.window =
      static_cast<std::uint32_t>(std::clamp(most, 1.0, static_cast<double>(phases.window)));
}

Id<sim::Station> ProgramBuilder::engine_station(const GroupLayout& layout,
                                                std::uint32_t position,
                                                std::uint32_t phase) {
  const platform::Graph& graph = platform_->graph;
  const Id<platform::Node> device = graph.devices()[layout.device(position)];
  return phase == kResults
             ? stations_.results_at(result_.program, index_of(device), name_of(device))
             : stations_.at(result_.program, index_of(device), name_of(device), phase);
}

// Forwarding devices store a message in their engine's memory, packet by packet. That takes no main
// memory, no bus, and no partition: those are for the device's own chunks.
Seconds ProgramBuilder::forwarding_of(const platform::Route& route,
                                      Id<platform::Node> sender) const {
  Seconds stored(0.0);
  const platform::Graph& graph = platform_->graph;
  for (const platform::Hop& hop : route.hops) {
    const platform::Link& link = graph.link(hop.link);
    if (link.from != sender && graph.class_of(link.from).kind == platform::NodeKind::kDevice) {
      stored += link.members * endpoint_.engine.packet / graph.class_of(hop.link).bandwidth;
    }
  }
  return stored;
}

}  // namespace cairn::comm
