// The algorithm that a search asks for.
#pragma once

#include <memory>

#include "cairn/explore/search_file.hpp"
#include "cairn/search/algorithm.hpp"
#include "cairn/search/exhaustive.hpp"

namespace cairn::explore {

// Whether lower bounds can rule out designs: of one objective, if any are known of it.
bool can_prune(const Request& request);

// Ready to ask. `bound`: of a search that can prune.
std::unique_ptr<search::Algorithm> make_algorithm(const Request& request,
                                                  const search::Exhaustive::Bound& bound = {});

}  // namespace cairn::explore
