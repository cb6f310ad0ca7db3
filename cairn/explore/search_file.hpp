// What a search is asked for, as it is written: a design, what may vary, what is to be small, what
// must be kept, and how to search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cairn/explore/design_space.hpp"
#include "cairn/explore/metric.hpp"
#include "cairn/search/algorithm.hpp"
#include "cairn/search/evolution.hpp"
#include "cairn/search/exhaustive.hpp"
#include "cairn/search/gradient_descent.hpp"

namespace cairn::explore {

// At most so much of a metric.
struct Limit {
  const Metric* metric = nullptr;
  double most = 0.0;  // SI
  Where where{};      // it is written
};

enum class Way : std::uint8_t {
  kExhaustive,
  kRandom,
  kGradientDescent,
  kNsga2,
  kCmaEs,
  kDifferential
};

struct Method {
  Way way = Way::kExhaustive;
  bool prune = true;          // exhaustive: designs that cannot be the best are not evaluated
  std::size_t trials = 1000;  // random
  search::GradientDescentOptions descent{};
  search::EvolutionOptions evolution{};
  std::uint64_t seed = 1;
};

struct Request {
  DesignSpace designs{};
  std::vector<const Metric*> objectives{};
  std::vector<Limit> limits{};
  Method method{};
  Config written{};  // the whole file
};

// Throws ConfigError.
Request read_request(const Config& config, const DataFolders& folders, const Folders& designs);

// Whether lower bounds can rule out designs: of one objective, if any are known of it.
bool can_prune(const Request& request);

// Ready to ask. `bound`: of a search that can prune.
std::unique_ptr<search::Algorithm> make_algorithm(const Request& request,
                                                  const search::Exhaustive::Bound& bound = {});

// The reference of all keys, for --help and the documentation.
std::string request_reference();

}  // namespace cairn::explore

template <>
struct cairn::EnumNames<cairn::explore::Way> {
  using E = cairn::explore::Way;
  static constexpr std::array<EnumName<E>, 6> kNames{{{E::kExhaustive, "exhaustive"},
                                                      {E::kRandom, "random"},
                                                      {E::kGradientDescent, "gradient_descent"},
                                                      {E::kNsga2, "nsga2"},
                                                      {E::kCmaEs, "cma_es"},
                                                      {E::kDifferential, "differential"}}};
};
