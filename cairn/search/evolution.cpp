#include "cairn/search/evolution.hpp"

#include <functional>
#include <vector>

#include "cairn/base/shared_module.hpp"

namespace cairn::search {

namespace {

using Islands = std::vector<std::function<void(const Evaluate&)>>;

Islands islands_of(const Space& space, const EvolutionOptions& options) {
  Islands islands;
  function_in_module<void(const Space&, const EvolutionOptions&, Islands&)>(
      "cairn_evolution", "cairn_evolution_islands")(space, options, islands);
  return islands;
}

}  // namespace

Evolution::Evolution(const Space& space, const EvolutionOptions& options)
    : islands_(islands_of(space, options)) {}

}  // namespace cairn::search
