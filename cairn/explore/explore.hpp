// Runs a search: the algorithm proposes a batch of designs, threads and processes evaluate them in
// parallel, and the algorithm observes the results in the order proposed. Results do not depend on
// the number of workers, nor on previously stored trials.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cairn/explore/ranks.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/explore/store.hpp"
#include "cairn/explore/trial.hpp"

namespace cairn::explore {

struct Exploration {
  std::vector<DesignTrial> trials{};  // each design once, in the order proposed
  std::size_t asked = 0;              // designs proposed, repetitions included
  std::size_t pruned = 0;             // points not evaluated: their lower bound rules them out
  std::size_t stored = 0;             // trials reused from the store
  // Pareto front of the trials that satisfy all limits; with one objective, the best trial.
  std::vector<std::size_t> front{};
  bool stopped = false;  // before the algorithm finished
};

struct ExploreOptions {
  std::size_t threads = 0;  // 0: one per core
  Ranks* ranks = nullptr;   // worker processes; they call `serve`
  Store* store = nullptr;   // its trials are reused; new trials are added as they finish
  // After each trial, one at a time, from any thread.
  std::function<void(const DesignTrial&)> on_done{};
  // Progress of the lower bounds before the first trial: points bounded, points in total.
  std::function<void(std::size_t, std::size_t)> on_bounds{};
  // Polled often, from any thread; once true, evaluations in progress are cancelled.
  std::function<bool()> stop{};
};

Exploration explore(const Request& request,
                    const DataFolders& folders,
                    const ExploreOptions& options = {});

// The front (Exploration::front) of these trials.
std::vector<std::size_t> front_of(const std::vector<DesignTrial>& trials, const Request& request);

}  // namespace cairn::explore
