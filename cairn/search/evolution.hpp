// Evolutionary algorithms of pagmo (Biscani and Izzo 2020).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cairn/search/algorithm.hpp"
#include "cairn/search/inversion.hpp"

namespace cairn::search {

enum class EvolutionKind : std::uint8_t {
  kNsga2,         // several objectives (Deb et al. 2002)
  kCmaEs,         // one objective: covariance matrix adaptation (Hansen 2006)
  kDifferential,  // one objective: self-adaptive differential evolution (Brest et al. 2006)
};

struct EvolutionOptions {
  EvolutionKind kind = EvolutionKind::kNsga2;
  std::size_t population = 64;  // per island; a multiple of 4 for NSGA-II
  std::size_t generations = 50;
  std::size_t islands = 1;  // independent populations; below 1,000
  std::size_t objectives = 2;
  std::uint64_t seed = 1;
};

// Numbers are encoded by their position in their range; whole numbers and choices directly, rounded
// if the method has no integers. Any point that violates a constraint is worse than any that does
// not.
class Evolution final : public Algorithm {
 public:
  Evolution(const Space& space, const EvolutionOptions& options);

  std::vector<Point> ask() override { return islands_.ask(); }

  void tell(std::span<const Outcome> outcomes) override { islands_.tell(outcomes); }

 private:
  Inversion islands_;
};

}  // namespace cairn::search
