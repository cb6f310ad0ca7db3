// Settings of the search algorithm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/search/gradient_descent.hpp"

namespace cairn::explore {

enum class Method : std::uint8_t {
  kExhaustive,
  kRandom,
  kGradientDescent,
  kNsga2,
  kCmaEs,
  kDifferential
};

// True for pagmo's evolutionary algorithms.
bool is_evolutionary(Method method);

struct AlgorithmSettings {
  std::optional<Method> method{};
  bool prune = true;
  std::size_t trials = 1000;
  std::size_t starts = 10;
  std::size_t steps = 100;
  double rate = 1.0;
  double averaging = 0.9;
  double difference = 0.5;
  search::Norm norm = search::Norm::kSum;
  search::Descent descent = search::Descent::kPaper;
  std::size_t population = 64;
  std::size_t generations = 50;
  std::size_t islands = 1;
  std::uint64_t seed = 1;
};

const Schema<AlgorithmSettings>& schema_of(const AlgorithmSettings*);

// The method that the keys of `algorithm` belong to, if any. `several`: more than one objective.
std::optional<Method> method_of_keys(const Config& algorithm, bool several);

// Throws ConfigError for keys of another method, which would be ignored.
void check_keys_of_method(const Config& algorithm, Method chosen);

}  // namespace cairn::explore

template <>
struct cairn::EnumNames<cairn::explore::Method> {
  using E = cairn::explore::Method;
  static constexpr std::array<EnumName<E>, 6> kNames{{{E::kExhaustive, "exhaustive"},
                                                      {E::kRandom, "random"},
                                                      {E::kGradientDescent, "gradient_descent"},
                                                      {E::kNsga2, "nsga2"},
                                                      {E::kCmaEs, "cma_es"},
                                                      {E::kDifferential, "differential"}}};
};
