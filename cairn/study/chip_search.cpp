#include "cairn/study/chip_search.hpp"

#include <vector>

#include "cairn/search/pareto.hpp"

namespace cairn::study {

const Schema<ChipSearch>& schema_of(const ChipSearch*) {
  using S = ChipSearch;
  static const auto kSchema =
      Schema<S>("chip_search", "gradient descent over the shares of a chip")
          .optional(
              "starts", &S::starts, "starting points: the template's shares, then random ones")
          .at_least(1)
          .at_most(100)
          .optional("steps", &S::steps, "descent steps per start")
          .at_least(1)
          .at_most(1000)
          .optional("rounds", &S::rounds, "maximum rounds of alternating chip and strategy")
          .at_least(1)
          .at_most(10)
          .optional(
              "difference", &S::difference, "relative change of a share, for finite differences")
          .positive()
          .optional("norm", &S::norm, "norm that normalizes shares")
          .optional("seed", &S::seed, "seed of random starts");
  return kSchema;
}

FoundChip search_chip(const ChipShares& shares,
                      const search::Point& from,
                      const ChipSearch& how,
                      const TimeOf& time_of,
                      const Tick& tick) {
  search::GradientDescent descent(shares.space(),
                                  {.starts = how.starts,
                                   .steps = how.steps,
                                   .difference = how.difference,
                                   .norm = how.norm,
                                   .seed = how.seed,
                                   .begin = from});
  std::vector<search::Trial> trials;
  for (auto points = descent.ask(); !points.empty(); points = descent.ask()) {
    std::vector<search::Outcome> outcomes;
    for (const search::Point& point : points) {
      if (tick) {
        tick();
      }
      const auto time = time_of(shares.at(point));
      outcomes.push_back(time ? search::Outcome{.objectives = {time->si()}}
                              : search::Outcome::infeasible(1));
      trials.push_back({point, outcomes.back()});
    }
    descent.tell(outcomes);
  }
  const search::Trial& best = trials[search::pareto_front(trials).front()];
  return {best.point, Seconds(best.outcome.objectives.front()), trials.size()};
}

}  // namespace cairn::study
