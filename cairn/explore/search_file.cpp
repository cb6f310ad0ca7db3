#include "cairn/explore/search_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cairn/base/many.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/design_settings.hpp"

namespace cairn::explore {

namespace {

// More points than this are not tried one by one.
constexpr double kMostPoints = 1e7;

// Each combination of whole numbers and choices is descended from by itself.
constexpr double kMostDescents = 1e4;

// pagmo's NSGA-II pairs designs, and pairs of these.
constexpr std::size_t kPopulationMultiple = 4;

struct WrittenRequest {
  std::string description{};
  std::string source{};
  Config design{};
  Config vary{};
  std::vector<Config> objectives{};
  Config limits{};
  AlgorithmSettings algorithm{};
};

const Schema<WrittenRequest>& schema_of(const WrittenRequest*) {
  using W = WrittenRequest;
  static const auto kSchema =
      Schema<W>("search", "a design, what may vary, and what is best")
          .optional("description", &W::description, "one line")
          .optional("source", &W::source, "where its numbers come from")
          .required(
              "design", &W::design, "to begin with: a name, a file or a map", "vgg-e-on-mc-dla")
          .required("vary", &W::vary, "keys of the design, and what they may be (below)", "{...}")
          .optional("objectives", &W::objectives, "metrics to minimize (default: [step_time])")
          .optional("limits", &W::limits, "at most so much: {memory: 32 GB}")
          .optional("algorithm", &W::algorithm, "how to search");
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

Method method_by_default(const Request& request) {
  if (!request.designs.space.has_numbers() &&
      request.designs.space.size(kMostPoints).value_or(0.0) <= kMostPoints) {
    return Method::kExhaustive;
  }
  if (request.objectives.size() > 1) {
    return Method::kNsga2;
  }
  const bool descends = request.designs.space.has_numbers() &&
                        request.designs.space.combinations(kMostDescents) <= kMostDescents;
  return descends ? Method::kGradientDescent : Method::kCmaEs;
}

void check_method(const Config& where, const Request& request) {
  const auto& space = request.designs.space;
  const bool several = request.objectives.size() > 1;
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(where.where, fmt::format("{} {}", enum_name(request.method), why));
  };
  switch (request.method) {
    case Method::kExhaustive:
      if (space.has_numbers()) {
        refuse("tries all points, but numbers have no end of them");
      }
      if (*space.size(kMostPoints) > kMostPoints) {
        refuse(
            fmt::format("would try more than {} points (expected e.g. random)", many(kMostPoints)));
      }
      break;
    case Method::kGradientDescent:
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
    case Method::kCmaEs:
    case Method::kDifferential:
      if (several) {
        refuse("is for one objective (expected e.g. nsga2)");
      }
      break;
    case Method::kNsga2:
      if (!several) {
        refuse("is for several objectives (expected e.g. cma_es)");
      }
      if (request.algorithm.population % kPopulationMultiple != 0) {
        reject(*where.find("population"),
               fmt::format("is not a multiple of {}, as nsga2 needs it", kPopulationMultiple));
      }
      break;
    case Method::kRandom:
      break;
  }
}

// The map that a design's name stands for.
Config whole_design(const Config& written, const Folders& designs) {
  return written.kind == Config::Kind::kMap
             ? written
             : load_named(
                   scalar_text(written, "a text or a map"), designs, "a design", written.where)
                   .config;
}

}  // namespace

void set_value_of_search(Config& search,
                         const std::string& assignment,
                         const DataFolders& folders,
                         const Folders& designs) {
  constexpr std::string_view kOfDesign = "design.";
  const auto design = std::ranges::find(search.keys, "design");
  if (!assignment.starts_with(kOfDesign) || design == search.keys.end()) {
    set_value(search, assignment);
    return;
  }
  Config& written = search.items[static_cast<std::size_t>(design - search.keys.begin())];
  written = whole_design(written, designs);
  set_value_of_design(written, assignment.substr(kOfDesign.size()), folders, "design");
}

Request read_request(const Config& config, const DataFolders& folders, const Folders& designs) {
  const auto written = read_config<WrittenRequest>(config);
  Request request{
      .limits = read_limits(written.limits), .algorithm = written.algorithm, .written = config};
  request.designs = read_design_space(whole_design(written.design, designs), written.vary, folders);
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
  std::optional<Method> method = written.algorithm.method;
  if (!method && has_keys) {
    method = method_of_keys(*algorithm, request.objectives.size() > 1);
  }
  request.method = method ? *method : method_by_default(request);
  if (has_keys) {
    check_keys_of_method(*algorithm, request.method);
  }
  check_method(algorithm == nullptr ? config : *algorithm, request);
  return request;
}

std::string request_reference() {
  const auto reference = []<class T>(const T* tag) { return schema_of(tag).reference(); };
  std::string text = reference(static_cast<const WrittenRequest*>(nullptr)) + "\n" +
                     axis_reference() + "\n" +
                     reference(static_cast<const AlgorithmSettings*>(nullptr)) + "\nmetrics\n";
  for (const Metric& metric : metrics()) {
    text += fmt::format("  {:<16} {}\n", metric.name, metric.doc);
  }
  return text;
}

}  // namespace cairn::explore
