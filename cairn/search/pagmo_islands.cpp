// The module libcairn_evolution: pagmo's algorithms as functions that call for evaluations.
#include <algorithm>
#include <cmath>
#include <functional>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/types.hpp>
#include <utility>
#include <vector>

#include "cairn/search/evolution.hpp"

namespace cairn::search {

namespace {

using pagmo::vector_double;

// Fitness of infeasible points: above any objective, increasing with the constraint violation, and
// finite, as pagmo requires.
constexpr double kWorst = 1e30;

double fitness_of(double objective, const Outcome& outcome) {
  if (outcome.is_feasible()) {
    return std::min(objective, kWorst);
  }
  return kWorst * (1.0 + std::min(outcome.constraint_violation, 1e6));
}

// The space as pagmo sees it: numbers first, as positions in their range. Axes of one value are
// left out: pagmo cannot vary them.
struct Problem {
  const Space* space = nullptr;
  const Evaluate* evaluate = nullptr;
  std::vector<std::size_t> order{};  // axes in pagmo's order
  std::size_t numbers = 0;
  std::size_t objectives = 1;
  bool whole = true;  // the method supports integers

  [[nodiscard]] vector_double fitness(const vector_double& x) const { return batch_fitness(x); }

  [[nodiscard]] vector_double batch_fitness(const vector_double& xs) const {
    std::vector<Point> points;
    points.reserve(xs.size() / order.size());
    for (std::size_t first = 0; first < xs.size(); first += order.size()) {
      points.push_back(point_of({xs.data() + first, order.size()}));
    }
    vector_double fitness;
    for (const Outcome& outcome : (*evaluate)(points)) {
      for (std::size_t o = 0; o < objectives; ++o) {
        fitness.push_back(fitness_of(outcome.objectives[o], outcome));
      }
    }
    return fitness;
  }

  [[nodiscard]] Point point_of(std::span<const double> x) const {
    Point point;
    for (const Axis& axis : space->axes) {
      point.push_back(axis.low);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Axis& axis = space->axes[order[i]];
      point[order[i]] = axis.kind == AxisKind::kNumber ? axis.at(x[i]) : x[i];
    }
    return space->normal(std::move(point));
  }

  [[nodiscard]] std::pair<vector_double, vector_double> get_bounds() const {
    vector_double low;
    vector_double high;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Axis& axis = space->axes[order[i]];
      low.push_back(i < numbers ? 0.0 : axis.low);
      high.push_back(i < numbers ? 1.0 : axis.high);
    }
    return {low, high};
  }

  [[nodiscard]] vector_double::size_type get_nobj() const { return objectives; }

  [[nodiscard]] vector_double::size_type get_nix() const {
    return whole ? order.size() - numbers : 0;
  }
};

// Evaluates all points of the first generation in one batch, and with NSGA-II those of every
// generation. pagmo's CMA-ES and differential evolution then ask for one point at a time, so that
// only islands run in parallel.
struct BatchEvaluator {
  vector_double operator()(const pagmo::problem& problem, const vector_double& xs) const {
    return problem.extract<Problem>()->batch_fitness(xs);
  }
};

pagmo::algorithm algorithm_of(const EvolutionOptions& options, unsigned seed) {
  const auto generations = static_cast<unsigned>(options.generations);
  switch (options.kind) {
    case EvolutionKind::kCmaEs:
      return pagmo::algorithm(pagmo::cmaes(
          generations, -1, -1, -1, -1, 0.3, 1e-10, 1e-12, /*memory=*/false, true, seed));
    case EvolutionKind::kDifferential:
      return pagmo::algorithm(pagmo::sade(generations, 2, 1, 1e-10, 1e-12, false, seed));
    case EvolutionKind::kNsga2:
      break;
  }
  pagmo::nsga2 method(generations, 0.95, 10.0, 0.05, 50.0, seed);
  method.set_bfe(pagmo::bfe(BatchEvaluator()));
  return pagmo::algorithm(method);
}

std::function<void(const Evaluate&)> island(const Space& space,
                                            const EvolutionOptions& options,
                                            std::size_t index) {
  return [space, options, index](const Evaluate& evaluate) {
    Problem problem{.space = &space, .evaluate = &evaluate, .objectives = options.objectives};
    problem.whole = options.kind == EvolutionKind::kNsga2;
    for (const bool number : {true, false}) {
      for (std::size_t a = 0; a < space.axes.size(); ++a) {
        const Axis& axis = space.axes[a];
        if ((axis.kind == AxisKind::kNumber) == number && axis.low < axis.high) {
          problem.order.push_back(a);
          problem.numbers += number ? 1 : 0;
        }
      }
    }
    if (problem.order.empty()) {
      evaluate({problem.point_of({})});
      return;
    }
    const auto seed = static_cast<unsigned>(options.seed * 1000 + index);
    pagmo::population population{
        pagmo::problem(problem), pagmo::bfe(BatchEvaluator()), options.population, seed};
    algorithm_of(options, seed).evolve(population);
  };
}

}  // namespace

}  // namespace cairn::search

extern "C" [[gnu::visibility("default")]] void cairn_evolution_islands(
    const cairn::search::Space& space,
    const cairn::search::EvolutionOptions& options,
    std::vector<std::function<void(const cairn::search::Evaluate&)>>& islands) {
  for (std::size_t i = 0; i < options.islands; ++i) {
    islands.push_back(cairn::search::island(space, options, i));
  }
}
