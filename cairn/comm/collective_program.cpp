#include "cairn/comm/collective_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "cairn/sim/fold.hpp"

namespace cairn::comm {

std::vector<double> by_link(const ResourceOfLink& resources, const std::vector<double>& value) {
  std::vector<double> result;
  result.reserve(resources.size());
  for (const std::uint32_t resource : resources) {
    result.push_back(resource == kUnused ? 0.0 : value[resource]);
  }
  return result;
}

CollectiveProgram fold_by_refinement(CollectiveProgram program) {
  std::optional<sim::FoldedProgram> folded = sim::fold(program.program);
  if (!folded) {
    return program;
  }
  CollectiveProgram result{.program = std::move(folded->program),
                           .of_link = std::move(program.of_link),
                           .moved = program.moved};
  for (std::uint32_t& resource : result.of_link) {
    resource = resource == kUnused ? kUnused : folded->resource_class[resource];
  }
  for (const sim::Task& task : result.program.tasks) {
    result.ranks = std::max(result.ranks, std::get<sim::PhaseProgram>(task.what).ranks);
  }
  for (std::size_t r = 0; r < folded->resource.size(); ++r) {
    Traffic traffic = program.traffic[folded->resource[r]];
    traffic.members = folded->resource_members[r];
    result.traffic.push_back(std::move(traffic));
  }
  return result;
}

}  // namespace cairn::comm
