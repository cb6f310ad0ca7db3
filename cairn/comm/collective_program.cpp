#include "cairn/comm/collective_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace cairn::comm {

std::vector<double> by_link(const ResourceOfLink& resources, const std::vector<double>& value) {
  std::vector<double> result;
  result.reserve(resources.size());
  for (const std::uint32_t resource : resources) {
    result.push_back(resource == kUnused ? 0.0 : value[resource]);
  }
  return result;
}

std::vector<Traffic> traffic_of_classes(const std::vector<Traffic>& traffic,
                                        const sim::FoldedProgram& folded) {
  std::vector<Traffic> of_classes;
  of_classes.reserve(folded.resource.size());
  for (const std::uint32_t first : folded.resource) {
    of_classes.push_back(traffic[first]);
    of_classes.back().members = 0;
  }
  for (std::size_t r = 0; r < traffic.size(); ++r) {
    of_classes[folded.resource_class[r]].members += traffic[r].members;
  }
  return of_classes;
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
  result.traffic = traffic_of_classes(program.traffic, *folded);
  return result;
}

}  // namespace cairn::comm
