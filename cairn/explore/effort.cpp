#include "cairn/explore/effort.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

namespace {

std::size_t numbers_of(const search::Space& space) {
  return static_cast<std::size_t>(
      std::ranges::count(space.axes, search::AxisKind::kNumber, &search::Axis::kind));
}

// One descent per start and combination of whole numbers and choices.
std::size_t descents_of(const Request& request) {
  return request.algorithm.starts * static_cast<std::size_t>(request.designs.space.combinations());
}

}  // namespace

// A descent evaluates a point and one neighbour per number, at the start and after each step.

std::size_t max_trials(const Request& request) {
  const AlgorithmSettings& settings = request.algorithm;
  switch (request.method) {
    case Method::kExhaustive:
      return static_cast<std::size_t>(request.designs.space.size().value_or(0.0));
    case Method::kRandom:
      return request.algorithm.trials;
    case Method::kNsga2:
    case Method::kCmaEs:
    case Method::kDifferential:
      return settings.islands * settings.population * (settings.generations + 1);
    case Method::kGradientDescent:
      return descents_of(request) * (request.algorithm.steps + 1) *
             (numbers_of(request.designs.space) + 1);
  }
  throw Bug("a search with an unknown method");
}

}  // namespace cairn::explore
