#include "cairn/explore/search_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/explore/written_axis.hpp"
#include "cairn/former_names.hpp"

namespace cairn::explore {

namespace {

// Maximum points of an exhaustive search.
constexpr double kMaxPoints = 1e7;

// Maximum combinations of whole numbers and choices; each has its own descent.
constexpr double kMaxDescents = 1e4;

// pagmo's NSGA-II pairs designs, then pairs the pairs.
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
      Schema<W>("search", "a base design, axes, and objectives")
          .optional("description", &W::description, "one-line description")
          .optional("source", &W::source, "where the numbers come from")
          .required("design", &W::design, "base design: a name, a file or a map", "vgg-e-on-mc-dla")
          .required("vary", &W::vary, "keys of the design and their values (below)", "{...}")
          .optional("objectives", &W::objectives, "metrics to minimize (default: [step_time])")
          .optional("limits", &W::limits, "upper limits on metrics: {memory: 32 GB}")
          .optional("algorithm", &W::algorithm, "how to search");
  return kSchema;
}

std::vector<Limit> read_limits(const Config& config) {
  std::vector<Limit> limits;
  if (config.kind == Config::Kind::kNull) {
    return limits;
  }
  if (config.kind != Config::Kind::kMap) {
    reject(config, "is not a map from metrics to upper limits (expected e.g. \"{memory: 32 GB}\")");
  }
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    Config name = config.items[i];
    name.kind = Config::Kind::kScalar;
    name.text = config.keys[i];
    const Metric& metric = metric_named(name);
    const Config& maximum = config.items[i];
    const double value = parse_quantity_si(
        scalar_text(maximum, expected_text(metric.dimension)), metric.dimension, maximum.where);
    if (!(value > 0.0)) {
      reject(maximum, "must be greater than 0");
    }
    limits.push_back({&metric, value, maximum.where});
  }
  return limits;
}

Method method_by_default(const Request& request) {
  if (!request.designs.space.has_numbers() &&
      request.designs.space.size(kMaxPoints).value_or(0.0) <= kMaxPoints) {
    return Method::kExhaustive;
  }
  if (request.objectives.size() > 1) {
    return Method::kNsga2;
  }
  const bool descends = request.designs.space.has_numbers() &&
                        request.designs.space.combinations(kMaxDescents) <= kMaxDescents;
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
        refuse("tries all points, but a number has infinitely many (expected e.g. random)");
      }
      if (*space.size(kMaxPoints) > kMaxPoints) {
        refuse(
            fmt::format("would try more than {} points (expected e.g. random)", many(kMaxPoints)));
      }
      break;
    case Method::kGradientDescent:
      if (!space.has_numbers()) {
        refuse("has no gradient: no number varies (expected e.g. random)");
      }
      if (space.combinations(kMaxDescents) > kMaxDescents) {
        refuse(
            fmt::format("would descend from each of more than {:.0f} combinations of whole "
                        "numbers and choices (expected fewer of them, or e.g. cma_es)",
                        kMaxDescents));
      }
      [[fallthrough]];
    case Method::kCmaEs:
    case Method::kDifferential:
      if (several) {
        refuse("supports one objective (expected e.g. nsga2)");
      }
      break;
    case Method::kNsga2:
      if (!several) {
        refuse("needs several objectives (expected e.g. cma_es)");
      }
      if (request.algorithm.population % kPopulationMultiple != 0) {
        reject(*where.find("population"),
               fmt::format("must be a multiple of {} for nsga2", kPopulationMultiple));
      }
      break;
    case Method::kRandom:
      break;
  }
}

// Replaces a design's name by its map; adds a note for each former name in that file.
Config whole_design(const Config& written,
                    const Folders& designs,
                    std::vector<std::string>& notes) {
  if (written.kind == Config::Kind::kMap) {
    return written;
  }
  NamedFile file =
      load_named(scalar_text(written, "a name or a map"), designs, "a design", written.where);
  std::ranges::move(update_former_names(file.config), std::back_inserter(notes));
  return std::move(file.config);
}

}  // namespace

std::vector<std::string> set_value_of_search(Config& search,
                                             const std::string& assignment,
                                             const DataFolders& folders,
                                             const Folders& designs) {
  constexpr std::string_view kOfDesign = "design.";
  const auto design = std::ranges::find(search.keys, "design");
  if (!assignment.starts_with(kOfDesign) || design == search.keys.end()) {
    set_value(search, assignment);
    return {};
  }
  Config& written = search.items[static_cast<std::size_t>(design - search.keys.begin())];
  std::vector<std::string> notes;
  written = whole_design(written, designs, notes);
  std::string of_design = assignment.substr(kOfDesign.size());
  std::ranges::move(update_former_names(of_design), std::back_inserter(notes));
  set_value_of_design(written, of_design, folders, "design");
  return notes;
}

Request read_request(const Config& config, const DataFolders& folders, const Folders& designs) {
  const auto written = read_config<WrittenRequest>(config);
  Request request{
      .limits = read_limits(written.limits), .algorithm = written.algorithm, .written = config};
  request.designs = read_design_space(
      whole_design(written.design, designs, request.notes), written.vary, folders);
  for (const Config& name : written.objectives) {
    const Metric& metric = metric_named(name);
    if (std::ranges::find(request.objectives, &metric) != request.objectives.end()) {
      reject(name, "is given twice");
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
