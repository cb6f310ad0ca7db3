// Search x evaluate, in parallel: the algorithm asks for designs, all that it asks for at once are
// evaluated by as many threads as there are, and it is told what came of them in the order in which
// it asked. Results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cairn/explore/evaluator.hpp"
#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

struct DesignTrial {
  search::Point point{};
  Finding finding{};
};

struct Exploration {
  std::vector<DesignTrial> trials{};  // each design once, in the order in which they were asked for
  std::size_t asked = 0;              // also again
  // Of the trials that keep all limits, those that no other beats in every objective; with one
  // objective, the best.
  std::vector<std::size_t> front{};
  bool stopped = false;  // before the algorithm had ended
};

struct ExploreOptions {
  std::size_t threads = 0;           // 0: as many as there are cores
  std::function<void()> one_done{};  // after each evaluation, from any thread
  std::function<bool()> stop{};      // asked between evaluations
};

Exploration explore(const Request& request,
                    const DataFolders& folders,
                    const ExploreOptions& options = {});

}  // namespace cairn::explore
