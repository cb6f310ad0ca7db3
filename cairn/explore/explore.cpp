#include "cairn/explore/explore.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "cairn/explore/make_algorithm.hpp"
#include "cairn/explore/rank_pool.hpp"
#include "cairn/explore/thread_pool.hpp"
#include "cairn/search/pareto.hpp"

namespace cairn::explore {

namespace {

constexpr std::size_t kBoundsAtOnce = 512;  // points between progress reports

// Each point is evaluated once.
class Trials {
 public:
  // Index of each point's trial; new trials are added without a finding.
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

std::string settings_text(const Request& request, const search::Point& point) {
  std::string text;
  for (const std::string& setting : request.designs.settings(point)) {
    text += (text.empty() ? "" : "\n") + setting;
  }
  return text;
}

// Evaluates the trials from `begin` on that are not in the store.
void finish_trials(std::vector<DesignTrial>& trials,
                   std::size_t begin,
                   const Request& request,
                   WorkerPool& pool,
                   const ExploreOptions& options,
                   std::size_t& stored) {
  const auto say = [&](const DesignTrial& trial) {
    if (options.on_done) {
      options.on_done(trial);
    }
  };
  std::vector<std::size_t> places;
  std::vector<search::Point> points;
  for (std::size_t i = begin; i < trials.size(); ++i) {
    const Finding* known =
        options.store == nullptr ? nullptr : options.store->find(trials[i].point);
    if (known == nullptr) {
      places.push_back(i);
      points.push_back(trials[i].point);
      continue;
    }
    trials[i].finding = *known;
    ++stored;
    say(trials[i]);
  }
  if (points.empty()) {
    return;
  }
  pool.evaluate(
      points,
      [&](std::size_t index, Finding finding) {
        DesignTrial& trial = trials[places[index]];
        trial.finding = std::move(finding);
        if (options.store != nullptr) {
          options.store->add(places[index], trial, settings_text(request, trial.point));
        }
        say(trial);
      },
      options.stop);
}

// Lower bounds, computed by all threads of this process before the first evaluation.
search::Exhaustive::Bound bounds_of(const Request& request,
                                    ThreadPool& threads,
                                    const ExploreOptions& options) {
  const std::vector<search::Point> points = request.designs.space.all_points();
  std::map<search::Point, double> by_point;
  for (std::size_t begin = 0; begin < points.size(); begin += kBoundsAtOnce) {
    const auto some =
        std::span(points).subspan(begin, std::min(kBoundsAtOnce, points.size() - begin));
    const std::vector<double> bounds = threads.bounds(some, options.stop);
    for (std::size_t i = 0; i < some.size(); ++i) {
      by_point.emplace(some[i], bounds[i]);
    }
    if (options.on_bounds) {
      options.on_bounds(by_point.size(), points.size());
    }
  }
  return
      [by_point = std::move(by_point)](const search::Point& point) { return by_point.at(point); };
}

}  // namespace

std::vector<std::size_t> front_of(const std::vector<DesignTrial>& trials, const Request& request) {
  std::vector<search::Trial> outcomes;
  for (const DesignTrial& trial : trials) {
    outcomes.push_back({trial.point, outcome_of(trial.finding, request)});
  }
  return search::pareto_front(outcomes);
}

Exploration explore(const Request& request,
                    const DataFolders& folders,
                    const ExploreOptions& options) {
  Evaluator evaluator(request, folders);
  ThreadPool threads(evaluator, options.threads);
  std::unique_ptr<WorkerPool> of_ranks;
  if (options.ranks != nullptr && options.ranks->size() > 1) {
    of_ranks = std::make_unique<RankPool>(*options.ranks, threads);
  }
  WorkerPool& pool = of_ranks ? *of_ranks : threads;
  const auto algorithm =
      make_algorithm(request, can_prune(request) ? bounds_of(request, threads, options) : nullptr);
  Trials trials;
  Exploration result;
  for (auto points = algorithm->ask(); !points.empty(); points = algorithm->ask()) {
    const std::size_t before = trials.all.size();
    const auto places = trials.places_of(points);
    finish_trials(trials.all, before, request, pool, options, result.stored);
    if (options.stop && options.stop()) {
      result.stopped = true;
      std::erase_if(trials.all, [](const DesignTrial& trial) { return !trial.finished(); });
      break;
    }
    result.asked += points.size();
    std::vector<search::Outcome> outcomes;
    for (const std::size_t place : places) {
      outcomes.push_back(outcome_of(trials.all[place].finding, request));
    }
    algorithm->tell(outcomes);
  }
  result.pruned = algorithm->pruned();
  result.trials = std::move(trials.all);
  result.front = front_of(result.trials, request);
  return result;
}

}  // namespace cairn::explore
