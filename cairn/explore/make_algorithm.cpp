#include "cairn/explore/make_algorithm.hpp"

#include <fmt/format.h>

#include <system_error>

#include "cairn/search/evolution.hpp"
#include "cairn/search/random_search.hpp"

namespace cairn::explore {

namespace {

search::GradientDescentOptions descent_of(const AlgorithmSettings& settings) {
  return {.starts = settings.starts,
          .steps = settings.steps,
          .rate = settings.rate,
          .averaging = settings.averaging,
          .difference = settings.difference,
          .norm = settings.norm,
          .descent = settings.descent,
          .seed = settings.seed};
}

std::unique_ptr<search::Algorithm> make_evolution(const Request& request,
                                                  search::EvolutionKind kind) {
  const AlgorithmSettings& settings = request.algorithm;
  try {
    return std::make_unique<search::Evolution>(
        request.designs.space,
        search::EvolutionOptions{.kind = kind,
                                 .population = settings.population,
                                 .generations = settings.generations,
                                 .islands = settings.islands,
                                 .objectives = request.objectives.size(),
                                 .seed = settings.seed});
  } catch (const std::system_error& error) {
    const Config* algorithm = request.written.find("algorithm");
    const Config* islands = algorithm == nullptr ? nullptr : algorithm->find("islands");
    throw ConfigError(islands == nullptr ? request.written.where : islands->where,
                      fmt::format("{} parallel islands exceed the threads of this machine: {}",
                                  settings.islands,
                                  error.code().message()));
  }
}

}  // namespace

bool can_prune(const Request& request) {
  return request.method == Method::kExhaustive && request.algorithm.prune &&
         request.objectives.size() == 1 && request.objectives.front()->lower_bound != nullptr;
}

std::unique_ptr<search::Algorithm> make_algorithm(const Request& request,
                                                  const search::Exhaustive::Bound& bound) {
  const search::Space& space = request.designs.space;
  switch (request.method) {
    case Method::kExhaustive:
      break;
    case Method::kRandom:
      return std::make_unique<search::RandomSearch>(
          space,
          search::RandomSearch::Options{.trials = request.algorithm.trials,
                                        .seed = request.algorithm.seed});
    case Method::kGradientDescent:
      return std::make_unique<search::GradientDescent>(space, descent_of(request.algorithm));
    case Method::kNsga2:
      return make_evolution(request, search::EvolutionKind::kNsga2);
    case Method::kCmaEs:
      return make_evolution(request, search::EvolutionKind::kCmaEs);
    case Method::kDifferential:
      return make_evolution(request, search::EvolutionKind::kDifferential);
  }
  // The sooner a result is known, the more designs are pruned.
  constexpr std::size_t kWithBounds = 8;
  return std::make_unique<search::Exhaustive>(
      space,
      bound ? search::Exhaustive::Options{.at_once = kWithBounds} : search::Exhaustive::Options{},
      bound);
}

}  // namespace cairn::explore
