#include "cairn/explore/explore.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <map>
#include <thread>
#include <utility>

#include "cairn/search/pareto.hpp"

namespace cairn::explore {

namespace {

// What was asked for once is not evaluated again.
class Trials {
 public:
  // Where the trial of each point is, or will be; new ones are added without finding.
  std::vector<std::size_t> places_of(const std::vector<search::Point>& points) {
    std::vector<std::size_t> places;
    for (const search::Point& point : points) {
      const auto [known, is_new] = place_.try_emplace(point, all.size());
      if (is_new) {
        all.push_back({.point = point});
      }
      places.push_back(known->second);
    }
    return places;
  }

  std::vector<DesignTrial> all{};

 private:
  std::map<search::Point, std::size_t> place_{};
};

std::vector<std::size_t> front_of(const std::vector<DesignTrial>& trials, const Request& request) {
  std::vector<search::Trial> outcomes;
  for (const DesignTrial& trial : trials) {
    outcomes.push_back({trial.point, outcome_of(trial.finding, request)});
  }
  return search::pareto_front(outcomes);
}

}  // namespace

Exploration explore(const Request& request,
                    const DataFolders& folders,
                    const ExploreOptions& options) {
  Evaluator evaluator(request, folders);
  const auto algorithm = make_algorithm(request);
  const auto stopped = [&] { return options.stop && options.stop(); };
  Trials trials;
  Exploration result;
  const std::size_t threads =
      options.threads == 0 ? std::thread::hardware_concurrency() : options.threads;
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  for (auto points = algorithm->ask(); !points.empty(); points = algorithm->ask()) {
    const std::size_t before = trials.all.size();
    const auto places = trials.places_of(points);
    arena.execute([&] {
      tbb::parallel_for(before, trials.all.size(), [&](std::size_t i) {
        if (stopped()) {
          return;
        }
        trials.all[i].finding = evaluator.evaluate(trials.all[i].point);
        if (options.one_done) {
          options.one_done();
        }
      });
    });
    if (stopped()) {
      result.stopped = true;
      std::erase_if(trials.all, [](const DesignTrial& trial) {
        return trial.finding.figures.empty() && trial.finding.reason.limit.empty();
      });
      break;
    }
    result.asked += points.size();
    std::vector<search::Outcome> outcomes;
    for (const std::size_t place : places) {
      outcomes.push_back(outcome_of(trials.all[place].finding, request));
    }
    algorithm->tell(outcomes);
  }
  result.trials = std::move(trials.all);
  result.front = front_of(result.trials, request);
  return result;
}

}  // namespace cairn::explore
