#include "cairn/explore/effort.hpp"

namespace cairn::explore {

std::optional<std::size_t> most_trials(const Request& request) {
  const search::EvolutionOptions& evolution = request.method.evolution;
  switch (request.method.way) {
    case Way::kExhaustive:
      return static_cast<std::size_t>(request.designs.space.size().value_or(0.0));
    case Way::kRandom:
      return request.method.trials;
    case Way::kNsga2:
    case Way::kCmaEs:
    case Way::kDifferential:
      return evolution.islands * evolution.population * (evolution.generations + 1);
    case Way::kGradientDescent:
      break;
  }
  return std::nullopt;
}

}  // namespace cairn::explore
