#include "cairn/explore/algorithm_settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace cairn::explore {

namespace {

// Above these a search would not end in anyone's time, nor fit into a machine.
constexpr double kMostTrials = 1e9;
constexpr double kMostSteps = 1e6;
constexpr double kMostStarts = 1e4;
constexpr double kMostInPopulation = 1e5;
constexpr double kMostGenerations = 1e6;
constexpr double kMostIslands = 256;  // each is a thread that mostly waits

struct KeyOfMethod {
  std::string_view key;
  Method method;  // of the three that evolve, the one for several objectives
};

constexpr std::array<KeyOfMethod, 12> kKeysOfMethods{{{"prune", Method::kExhaustive},
                                                      {"trials", Method::kRandom},
                                                      {"starts", Method::kGradientDescent},
                                                      {"steps", Method::kGradientDescent},
                                                      {"rate", Method::kGradientDescent},
                                                      {"averaging", Method::kGradientDescent},
                                                      {"difference", Method::kGradientDescent},
                                                      {"norm", Method::kGradientDescent},
                                                      {"descent", Method::kGradientDescent},
                                                      {"population", Method::kNsga2},
                                                      {"generations", Method::kNsga2},
                                                      {"islands", Method::kNsga2}}};

}  // namespace

const Schema<AlgorithmSettings>& schema_of(const AlgorithmSettings*) {
  using M = AlgorithmSettings;
  static const auto kSchema =
      Schema<M>("algorithm", "how to search")
          .optional("method",
                    &M::method,
                    "that of the keys below; without any, exhaustive, with numbers "
                    "gradient_descent, of too many choices for these cma_es, of several "
                    "objectives nsga2")
          .optional("prune",
                    &M::prune,
                    "exhaustive, for the least time: leave out what cannot be the best")
          .optional("trials", &M::trials, "random: so many")
          .at_least(1)
          .at_most(kMostTrials)
          .optional("starts", &M::starts, "gradient_descent: from so many points")
          .at_least(1)
          .at_most(kMostStarts)
          .optional("steps", &M::steps, "gradient_descent: so many steps from each")
          .at_least(1)
          .at_most(kMostSteps)
          .optional("rate", &M::rate, "gradient_descent: eta, how far a step goes")
          .positive()
          .optional("averaging",
                    &M::averaging,
                    "gradient_descent: beta, what stays of the mean of parameters")
          .not_negative()
          .at_most(1)
          .optional("difference",
                    &M::difference,
                    "gradient_descent: part by which a parameter is changed for a slope")
          .positive()
          .optional("norm", &M::norm, "gradient_descent: by which parameters are divided")
          .optional("descent",
                    &M::descent,
                    "gradient_descent: as the paper prints it, or as its program does it")
          .optional("population",
                    &M::population,
                    "evolution: designs of a generation (nsga2: a multiple of 4)")
          .at_least(8)
          .at_most(kMostInPopulation)
          .optional("generations", &M::generations, "evolution: so many")
          .at_least(1)
          .at_most(kMostGenerations)
          .optional("islands",
                    &M::islands,
                    "evolution: populations side by side; cma_es and differential evaluate one "
                    "design of each at a time")
          .at_least(1)
          .at_most(kMostIslands)
          .optional("seed", &M::seed, "of chance: the same gives the same");
  return kSchema;
}

bool evolves(Method method) {
  return method == Method::kNsga2 || method == Method::kCmaEs || method == Method::kDifferential;
}

std::optional<Method> method_of_keys(const Config& algorithm, bool several) {
  for (const auto& [key, method] : kKeysOfMethods) {
    if (algorithm.find(key) != nullptr) {
      return evolves(method) && !several ? Method::kCmaEs : method;
    }
  }
  return std::nullopt;
}

void check_keys_of_method(const Config& algorithm, Method chosen) {
  for (const auto& [key, method] : kKeysOfMethods) {
    const Config* value = algorithm.find(key);
    if (value != nullptr && method != chosen && !(evolves(method) && evolves(chosen))) {
      reject(*value, fmt::format("means nothing to {}", enum_name(chosen)));
    }
  }
}

}  // namespace cairn::explore
