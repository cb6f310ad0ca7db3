// Search x evaluate, in parallel: the algorithm asks for designs, all that it asks for at once are
// evaluated by as many threads and processes as there are, and it is told what came of them in the
// order in which it asked. Results do not depend on who evaluates, nor on what was known before.
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
  std::vector<DesignTrial> trials{};  // each design once, in the order in which they were asked for
  std::size_t asked = 0;              // also again
  std::size_t pruned = 0;             // points that were not evaluated, as they cannot be the best
  std::size_t stored = 0;             // of the trials, known before
  // Of the trials that keep all limits, those that no other beats in every objective; with one
  // objective, the best.
  std::vector<std::size_t> front{};
  bool stopped = false;  // before the algorithm had ended
};

struct ExploreOptions {
  std::size_t threads = 0;  // 0: as many as there are cores
  Ranks* ranks = nullptr;   // processes that evaluate too; they `help`
  Store* store = nullptr;   // what it has is not evaluated; all else is put into it as it ends
  // After each trial, one at a time, from any thread.
  std::function<void(const DesignTrial&)> one_done{};
  // Of how many points bounds are known, and how many there are, before the first trial.
  std::function<void(std::size_t, std::size_t)> bounds_done{};
  // Asked often, from any thread; once it says so, evaluations in hand are cancelled.
  std::function<bool()> stop{};
};

Exploration explore(const Request& request,
                    const DataFolders& folders,
                    const ExploreOptions& options = {});

// What was found, if these were the trials.
std::vector<std::size_t> front_of(const std::vector<DesignTrial>& trials, const Request& request);

}  // namespace cairn::explore
