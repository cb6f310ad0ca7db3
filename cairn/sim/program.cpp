#include "cairn/sim/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::sim {

std::uint32_t PhaseProgram::chunks() const {
  if (payload <= chunk_size || chunk_size <= 0.0) {
    return 1;
  }
  // A last chunk below a billionth of the others is a rounding error of the division.
  return static_cast<std::uint32_t>(std::ceil(payload / chunk_size - 1e-9));
}

double PhaseProgram::chunk_bytes(std::uint32_t chunk) const {
  const double begin = chunk_size * chunk;
  return chunk + 1 == chunks() ? payload - begin : chunk_size;
}

Id<Resource> Program::add(Resource resource) {
  resources.push_back(std::move(resource));
  return Id<Resource>(resources.size() - 1);
}

Id<Issuer> Program::add(Issuer issuer) {
  issuers.push_back(std::move(issuer));
  return Id<Issuer>(issuers.size() - 1);
}

Id<Demand> Program::add(Demand demand) {
  demands.push_back(std::move(demand));
  return Id<Demand>(demands.size() - 1);
}

Id<Task> Program::add(Task task) {
  tasks.push_back(std::move(task));
  return Id<Task>(tasks.size() - 1);
}

Id<Station> Program::add(Station station) {
  stations.push_back(std::move(station));
  return Id<Station>(stations.size() - 1);
}

}  // namespace cairn::sim
