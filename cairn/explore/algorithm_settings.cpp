#include "cairn/explore/algorithm_settings.hpp"

#include <fmt/format.h>

#include <string_view>

namespace cairn::explore {

namespace {

// Limits beyond which a search would neither finish nor fit into memory.
constexpr double kMaxTrials = 1e9;
constexpr double kMaxSteps = 1e6;
constexpr double kMaxStarts = 1e4;
constexpr double kMaxInPopulation = 1e5;
constexpr double kMaxGenerations = 1e6;
constexpr double kMaxIslands = 256;  // each is a thread that mostly waits

struct KeyOfMethod {
  std::string_view key;
  Method method;  // kNsga2 stands for all evolutionary methods
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
                    "default: the method of the keys below; else exhaustive, gradient_descent if "
                    "numbers vary, cma_es with too many choices for these, nsga2 with several "
                    "objectives")
          .optional("prune",
                    &M::prune,
                    "exhaustive, minimizing a time: skip designs whose lower bound rules them out")
          .optional("trials", &M::trials, "random: number of designs")
          .at_least(1)
          .at_most(kMaxTrials)
          .optional("starts", &M::starts, "gradient_descent: number of starting points")
          .at_least(1)
          .at_most(kMaxStarts)
          .optional("steps", &M::steps, "gradient_descent: steps per start")
          .at_least(1)
          .at_most(kMaxSteps)
          .optional("rate", &M::rate, "gradient_descent: eta, learning rate")
          .positive()
          .optional(
              "averaging", &M::averaging, "gradient_descent: beta, decay of the mean of parameters")
          .not_negative()
          .at_most(1)
          .optional("difference",
                    &M::difference,
                    "gradient_descent: relative change of a parameter for finite differences")
          .positive()
          .optional("norm", &M::norm, "gradient_descent: norm that parameters are divided by")
          .optional("descent",
                    &M::descent,
                    "gradient_descent: as published in the paper, or as in its program")
          .optional("population",
                    &M::population,
                    "evolution: designs per generation (nsga2: a multiple of 4)")
          .at_least(8)
          .at_most(kMaxInPopulation)
          .optional("generations", &M::generations, "evolution: number of generations")
          .at_least(1)
          .at_most(kMaxGenerations)
          .optional("islands",
                    &M::islands,
                    "evolution: parallel populations; cma_es and differential evaluate one design "
                    "of each at a time")
          .at_least(1)
          .at_most(kMaxIslands)
          .optional("seed", &M::seed, "random seed; the same seed gives the same result");
  return kSchema;
}

bool is_evolutionary(Method method) {
  return method == Method::kNsga2 || method == Method::kCmaEs || method == Method::kDifferential;
}

std::optional<Method> method_of_keys(const Config& algorithm, bool several) {
  for (const auto& [key, method] : kKeysOfMethods) {
    if (algorithm.find(key) != nullptr) {
      return is_evolutionary(method) && !several ? Method::kCmaEs : method;
    }
  }
  return std::nullopt;
}

void check_keys_of_method(const Config& algorithm, Method chosen) {
  for (const auto& [key, method] : kKeysOfMethods) {
    const Config* value = algorithm.find(key);
    if (value != nullptr && method != chosen &&
        !(is_evolutionary(method) && is_evolutionary(chosen))) {
      reject(*value, fmt::format("is not used by {}", enum_name(chosen)));
    }
  }
}

}  // namespace cairn::explore
