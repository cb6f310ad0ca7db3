#include "cairn/explore/search_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>

#include "cairn/base/schema.hpp"
#include "cairn/search/exhaustive.hpp"
#include "cairn/search/random_search.hpp"

namespace cairn::explore {

namespace {

// More points than this are not tried one by one.
constexpr double kMostPoints = 1e7;

// Each combination of whole numbers and choices is descended from by itself.
constexpr double kMostDescents = 1e4;

// Above these a search would not end in anyone's time, nor fit into a machine.
constexpr double kMostTrials = 1e9;
constexpr double kMostSteps = 1e6;
constexpr double kMostStarts = 1e4;
constexpr double kMostInPopulation = 1e5;
constexpr double kMostGenerations = 1e6;
constexpr double kMostIslands = 256;  // each is a thread that mostly waits

// pagmo's NSGA-II pairs designs, and pairs of these.
constexpr std::size_t kPopulationMultiple = 4;

struct WrittenMethod {
  std::optional<Way> way{};
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

const Schema<WrittenMethod>& schema_of(const WrittenMethod*) {
  using M = WrittenMethod;
  static const auto kSchema =
      Schema<M>("algorithm", "how to search")
          .optional("method",
                    &M::way,
                    "that of the keys below; without any, exhaustive, with numbers "
                    "gradient_descent, of several objectives nsga2")
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

struct WrittenRequest {
  std::string description{};
  std::string source{};
  Config design{};
  Config vary{};
  std::vector<Config> objectives{};
  Config limits{};
  WrittenMethod method{};
};

const Schema<WrittenRequest>& schema_of(const WrittenRequest*) {
  using W = WrittenRequest;
  static const auto kSchema =
      Schema<W>("search", "a design, what may vary, and what is best")
          .optional("description", &W::description, "one line")
          .optional("source", &W::source, "where its numbers come from")
          .required(
              "design", &W::design, "to begin with: a name, a file or a map", "vgg-e-on-mc-dla")
          .required("vary", &W::vary, "keys of the design, and what they may be", "{...}")
          .optional("objectives", &W::objectives, "to be small (default: [step_time])")
          .optional("limits", &W::limits, "at most so much: {memory: 32 GB}")
          .optional("algorithm", &W::method, "how to search");
  return kSchema;
}

std::vector<Limit> read_limits(const Config& config) {
  std::vector<Limit> limits;
  if (config.kind == Config::Kind::kNull) {
    return limits;
  }
  if (config.kind != Config::Kind::kMap) {
    reject(config, "is no map from metrics to what they may be at most");
  }
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    Config name = config.items[i];
    name.kind = Config::Kind::kScalar;
    name.text = config.keys[i];
    const Metric& metric = metric_named(name);
    const Config& most = config.items[i];
    const double value = parse_quantity_si(
        scalar_text(most, expected_text(metric.dimension)), metric.dimension, most.where);
    if (!(value > 0.0)) {
      reject(most, "is not above 0, as all that is limited is");
    }
    limits.push_back({&metric, value, most.where});
  }
  return limits;
}

struct KeyOfMethod {
  std::string_view key;
  Way way;  // of the three that evolve, the one for several objectives
};

constexpr std::array<KeyOfMethod, 12> kKeysOfMethods{{{"prune", Way::kExhaustive},
                                                      {"trials", Way::kRandom},
                                                      {"starts", Way::kGradientDescent},
                                                      {"steps", Way::kGradientDescent},
                                                      {"rate", Way::kGradientDescent},
                                                      {"averaging", Way::kGradientDescent},
                                                      {"difference", Way::kGradientDescent},
                                                      {"norm", Way::kGradientDescent},
                                                      {"descent", Way::kGradientDescent},
                                                      {"population", Way::kNsga2},
                                                      {"generations", Way::kNsga2},
                                                      {"islands", Way::kNsga2}}};

bool evolves(Way way) {
  return way == Way::kNsga2 || way == Way::kCmaEs || way == Way::kDifferential;
}

// That the keys of `algorithm` are of, if they are of any.
std::optional<Way> way_of_keys(const Config& algorithm, bool several) {
  for (const auto& [key, way] : kKeysOfMethods) {
    if (algorithm.find(key) != nullptr) {
      return evolves(way) && !several ? Way::kCmaEs : way;
    }
  }
  return std::nullopt;
}

// What is said of another method would be ignored.
void check_keys_of_methods(const Config& algorithm, Way chosen) {
  for (const auto& [key, way] : kKeysOfMethods) {
    const Config* value = algorithm.find(key);
    if (value != nullptr && way != chosen && !(evolves(way) && evolves(chosen))) {
      reject(*value, fmt::format("means nothing to {}", enum_name(chosen)));
    }
  }
}

Way way_by_default(const Request& request) {
  if (!request.designs.space.has_numbers() &&
      request.designs.space.size(kMostPoints).value_or(0.0) <= kMostPoints) {
    return Way::kExhaustive;
  }
  return request.objectives.size() > 1 ? Way::kNsga2 : Way::kGradientDescent;
}

void check_method(const Config& where, const Request& request) {
  const auto& space = request.designs.space;
  const bool several = request.objectives.size() > 1;
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(where.where, fmt::format("{} {}", enum_name(request.method.way), why));
  };
  switch (request.method.way) {
    case Way::kExhaustive:
      if (space.has_numbers()) {
        refuse("tries all points, but numbers have no end of them");
      }
      if (*space.size(kMostPoints) > kMostPoints) {
        reject(
            where,
            fmt::format("would try more than {:.0f} points (expected e.g. random)", kMostPoints));
      }
      break;
    case Way::kGradientDescent:
      if (!space.has_numbers()) {
        refuse("has no slope: nothing that varies is a number (expected e.g. random)");
      }
      if (space.combinations(kMostDescents) > kMostDescents) {
        refuse(
            fmt::format("would descend from each of more than {:.0f} combinations of whole "
                        "numbers and choices (expected fewer of them, or e.g. cma_es)",
                        kMostDescents));
      }
      [[fallthrough]];
    case Way::kCmaEs:
    case Way::kDifferential:
      if (several) {
        refuse("is for one objective (expected e.g. nsga2)");
      }
      break;
    case Way::kNsga2:
      if (!several) {
        refuse("is for several objectives (expected e.g. cma_es)");
      }
      if (request.method.evolution.population % kPopulationMultiple != 0) {
        reject(*where.find("population"),
               fmt::format("is not a multiple of {}, as nsga2 needs it", kPopulationMultiple));
      }
      break;
    case Way::kRandom:
      break;
  }
}

Method method_of(const WrittenMethod& written) {
  Method method{.prune = written.prune, .trials = written.trials, .seed = written.seed};
  method.descent = {.starts = written.starts,
                    .steps = written.steps,
                    .rate = written.rate,
                    .averaging = written.averaging,
                    .difference = written.difference,
                    .norm = written.norm,
                    .descent = written.descent,
                    .seed = written.seed};
  method.evolution = {.population = written.population,
                      .generations = written.generations,
                      .islands = written.islands,
                      .seed = written.seed};
  return method;
}

std::unique_ptr<search::Algorithm> make_evolution(const Request& request,
                                                  const search::EvolutionOptions& options) {
  try {
    return std::make_unique<search::Evolution>(request.designs.space, options);
  } catch (const std::system_error& error) {
    const Config* algorithm = request.written.find("algorithm");
    const Config* islands = algorithm == nullptr ? nullptr : algorithm->find("islands");
    throw ConfigError(islands == nullptr ? request.written.where : islands->where,
                      fmt::format("{} islands side by side are more than this machine can run: {}",
                                  options.islands,
                                  error.code().message()));
  }
}

}  // namespace

Request read_request(const Config& config, const DataFolders& folders, const Folders& designs) {
  const auto written = read_config<WrittenRequest>(config);
  Request request{.limits = read_limits(written.limits),
                  .method = method_of(written.method),
                  .written = config};
  const Config design = written.design.kind == Config::Kind::kMap
                            ? written.design
                            : load_named(scalar_text(written.design, "a text or a map"),
                                         designs,
                                         "a design",
                                         written.design.where)
                                  .config;
  request.designs = read_design_space(design, written.vary, folders);
  for (const Config& name : written.objectives) {
    const Metric& metric = metric_named(name);
    if (std::ranges::find(request.objectives, &metric) != request.objectives.end()) {
      reject(name, "is said twice");
    }
    request.objectives.push_back(&metric);
  }
  if (request.objectives.empty()) {
    request.objectives.push_back(&metrics().front());
  }
  const Config* algorithm = config.find("algorithm");
  const bool has_keys = algorithm != nullptr && algorithm->kind == Config::Kind::kMap;
  std::optional<Way> way = written.method.way;
  if (!way && has_keys) {
    way = way_of_keys(*algorithm, request.objectives.size() > 1);
  }
  request.method.way = way ? *way : way_by_default(request);
  if (has_keys) {
    check_keys_of_methods(*algorithm, request.method.way);
  }
  check_method(algorithm == nullptr ? config : *algorithm, request);
  return request;
}

bool can_prune(const Request& request) {
  return request.method.way == Way::kExhaustive && request.method.prune &&
         request.objectives.size() == 1 && request.objectives.front()->least != nullptr;
}

std::unique_ptr<search::Algorithm> make_algorithm(const Request& request,
                                                  const search::Exhaustive::Bound& bound) {
  const search::Space& space = request.designs.space;
  search::EvolutionOptions evolution = request.method.evolution;
  evolution.objectives = request.objectives.size();
  switch (request.method.way) {
    case Way::kExhaustive:
      break;
    case Way::kRandom:
      return std::make_unique<search::RandomSearch>(
          space,
          search::RandomSearch::Options{.trials = request.method.trials,
                                        .seed = request.method.seed});
    case Way::kGradientDescent:
      return std::make_unique<search::GradientDescent>(space, request.method.descent);
    case Way::kNsga2:
      evolution.method = search::Method::kNsga2;
      return make_evolution(request, evolution);
    case Way::kCmaEs:
      evolution.method = search::Method::kCmaEs;
      return make_evolution(request, evolution);
    case Way::kDifferential:
      evolution.method = search::Method::kDifferential;
      return make_evolution(request, evolution);
  }
  constexpr std::size_t kWithBounds =
      8;  // at once: the sooner one is known, the more are ruled out
  return std::make_unique<search::Exhaustive>(
      space,
      bound ? search::Exhaustive::Options{.at_once = kWithBounds} : search::Exhaustive::Options{},
      bound);
}

std::string request_reference() {
  const auto reference = []<class T>(const T* tag) { return schema_of(tag).reference(); };
  std::string text = reference(static_cast<const WrittenRequest*>(nullptr)) + "\n" +
                     reference(static_cast<const WrittenMethod*>(nullptr)) + "\nmetrics\n";
  for (const Metric& metric : metrics()) {
    text += fmt::format("  {:<16} {}\n", metric.name, metric.doc);
  }
  return text;
}

}  // namespace cairn::explore
