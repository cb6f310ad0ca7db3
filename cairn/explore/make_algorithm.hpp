// Creates the search algorithm.
#pragma once

#include <memory>

#include "cairn/explore/search_file.hpp"
#include "cairn/search/algorithm.hpp"
#include "cairn/search/exhaustive.hpp"

namespace cairn::explore {

// True if lower bounds can prune designs: one objective, with a known lower bound.
bool can_prune(const Request& request);

// `bound`: for searches that can prune.
std::unique_ptr<search::Algorithm> make_algorithm(const Request& request,
                                                  const search::Exhaustive::Bound& bound = {});

}  // namespace cairn::explore
