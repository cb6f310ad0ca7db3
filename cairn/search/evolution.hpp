// Populations that evolve, by the algorithms of pagmo (Biscani and Izzo 2020).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cairn/search/algorithm.hpp"
#include "cairn/search/inversion.hpp"

namespace cairn::search {

enum class EvolutionKind : std::uint8_t {
  kNsga2,         // of several objectives (Deb et al. 2002)
  kCmaEs,         // of one: covariance matrix adaptation (Hansen 2006)
  kDifferential,  // of one: self-adaptive differential evolution (Brest et al. 2006)
};

struct EvolutionOptions {
  EvolutionKind kind = EvolutionKind::kNsga2;
  std::size_t population = 64;  // of an island; of NSGA-II a multiple of 4
  std::size_t generations = 50;
  std::size_t islands = 1;  // populations that know nothing of each other; below 1,000
  std::size_t objectives = 2;
  std::uint64_t seed = 1;
};

// Numbers by where they are in their range; whole numbers and choices as they are, and rounded
// where the method has no whole numbers. What misses a constraint is worse than what does not.
class Evolution final : public Algorithm {
 public:
  Evolution(const Space& space, const EvolutionOptions& options);

  std::vector<Point> ask() override { return islands_.ask(); }

  void tell(std::span<const Outcome> outcomes) override { islands_.tell(outcomes); }

 private:
  Inversion islands_;
};

}  // namespace cairn::search
