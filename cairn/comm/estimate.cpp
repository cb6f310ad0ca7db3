#include "cairn/comm/estimate.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "cairn/comm/program_builder.hpp"

namespace cairn::comm {

Estimate estimate(const Schedule& schedule,
                  const Layout& layout,
                  const platform::Protocol* protocol) {
  ProgramBuilder builder(*layout.platform, View::kEveryMember);
  builder.add({.size = Bytes(1.0), .group = layout.members},
              layout,
              schedule,
              {.chunks = 1, .window = 1},
              protocol);
  const sim::Program program = builder.take().program;
  Estimate longest;
  std::vector<double> load(program.resources.size(), 0.0);
  for (const sim::Task& task : program.tasks) {
    const auto& part = std::get<sim::PhaseProgram>(task.what);
    Estimate here;
    if (protocol != nullptr) {
      here.latency = protocol->start;
      here.seconds_per_byte = protocol->copy ? 1.0 / protocol->copy->si() : 0.0;
    }
    for (const sim::Phase& phase : part.phases) {
      Seconds latency(0.0);
      double busiest = 0.0;
      std::ranges::fill(load, 0.0);
      for (std::uint32_t l = phase.first_lane; l < phase.end_lane; ++l) {
        const sim::Demand& demand = program.demands[part.lanes[l].demand.index()];
        latency = std::max(latency, demand.latency);
        for (const sim::Draw& draw : demand.draws) {
          double& carried = load[draw.resource.index()];
          carried += part.payload * part.lanes[l].work * draw.amount;
          busiest = std::max(busiest, carried / program.resources[draw.resource.index()].capacity);
        }
      }
      here.latency += latency * phase.steps;
      here.seconds_per_byte += busiest * phase.steps;
    }
    longest.latency = std::max(longest.latency, here.latency);
    longest.seconds_per_byte = std::max(longest.seconds_per_byte, here.seconds_per_byte);
  }
  return longest;
}

}  // namespace cairn::comm
