#include "cairn/comm/algorithm_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::comm {

namespace {

constexpr std::string_view kAuto = "auto";

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names{std::string(kAuto)};
  for (const Algorithm* algorithm : algorithms()) {
    names.emplace_back(algorithm->name);
  }
  return names;
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const OpInfo& known : ops()) {
    names.emplace_back(known.name);
  }
  return names;
}

DimensionAlgorithm parse_dimension(std::string_view text, const Where& where) {
  std::vector<std::string> known;
  for (const auto& [value, name] : EnumNames<DimensionAlgorithm>::kNames) {
    if (name == text) {
      return value;
    }
    known.emplace_back(name);
  }
  throw ConfigError(
      where,
      fmt::format(
          "{} is not an algorithm for a dimension ({})", in_quotes(text), suggestion(text, known)));
}

const Algorithm* require_algorithm(std::string_view name, const Where& where) {
  if (name == kAuto) {
    return nullptr;
  }
  const Algorithm* algorithm = find_algorithm(name);
  if (algorithm == nullptr) {
    throw ConfigError(
        where,
        fmt::format(
            "{} is not an algorithm ({})", in_quotes(name), suggestion(name, algorithm_names())));
  }
  return algorithm;
}

void require_dimensions(const Algorithm* algorithm, const Where& where) {
  if (algorithm == nullptr || !algorithm->by_dimension) {
    throw ConfigError(where, "only hierarchical and nested take an algorithm for each dimension");
  }
}

// {hierarchical: [ring, direct]}
AlgorithmChoice read_by_dimension(const Config& config) {
  const Config& dimensions = config.items.front();
  AlgorithmChoice choice{.algorithm = require_algorithm(config.keys.front(), dimensions.where)};
  require_dimensions(choice.algorithm, dimensions.where);
  choice.dimensions = ConfigReader<std::vector<DimensionAlgorithm>>::read(dimensions);
  return choice;
}

AlgorithmChoice read_choice(const Config& config) {
  if (config.kind == Config::Kind::kMap && config.keys.size() == 1) {
    return read_by_dimension(config);
  }
  return parse_algorithm(scalar_text(config, "a name, or {hierarchical: [ring, direct]}"),
                         config.where);
}

bool names_operations(const Config& config) {
  return config.kind == Config::Kind::kMap &&
         !(config.keys.size() == 1 && find_algorithm(config.keys.front()) != nullptr);
}

}  // namespace

std::string name_of(const AlgorithmChoice& choice) {
  if (choice.is_auto()) {
    return std::string(kAuto);
  }
  std::string name(choice.algorithm->name);
  const char* separator = ":";
  for (const DimensionAlgorithm dimension : choice.dimensions) {
    name += separator;
    name += enum_name(dimension);
    separator = ",";
  }
  return name;
}

AlgorithmChoice parse_algorithm(std::string_view text, const Where& where) {
  const std::size_t colon = text.find(':');
  AlgorithmChoice choice{.algorithm = require_algorithm(text.substr(0, colon), where)};
  if (colon == std::string_view::npos) {
    return choice;
  }
  require_dimensions(choice.algorithm, where);
  for (std::string_view rest = text.substr(colon + 1);;) {
    const std::size_t comma = rest.find(',');
    choice.dimensions.push_back(parse_dimension(rest.substr(0, comma), where));
    if (comma == std::string_view::npos) {
      return choice;
    }
    rest.remove_prefix(comma + 1);
  }
}

const AlgorithmChoice& CollectivePolicy::algorithm_for(Op op) const {
  const auto own = operations.find(op);
  return own == operations.end() ? algorithm : own->second;
}

CollectivePolicy reductions_by(const AlgorithmChoice& algorithm) {
  return {.operations = {{Op::kAllReduce, algorithm},
                         {Op::kReduceScatter, algorithm},
                         {Op::kAllGather, algorithm}},
          .chunk_size = Bytes(0.0)};
}

void read_algorithms(const Config& config, CollectivePolicy& policy) {
  if (config.kind == Config::Kind::kNull) {
    return;
  }
  if (!names_operations(config)) {
    policy.algorithm = read_choice(config);
    return;
  }
  const std::vector<std::string> known = operation_names();
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    const std::string& name = config.keys[i];
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      throw ConfigError(
          config.items[i].where,
          fmt::format("{} is not a collective ({})", in_quotes(name), suggestion(name, known)));
    }
    policy.operations[ops()[static_cast<std::size_t>(found - known.begin())].op] =
        read_choice(config.items[i]);
  }
}

Group ordered_for(const AlgorithmChoice& choice, const GroupLayout& all, Group group) {
  if (choice.algorithm->by_dimension) {
    std::ranges::sort(group, {}, [&](std::uint32_t position) { return all.device(position); });
  }
  return group;
}

GroupLayout layout_for(const AlgorithmChoice& choice, const GroupLayout& all, const Group& group) {
  GroupLayout layout = layout_of(all, ordered_for(choice, all, group));
  if (!choice.dimensions.empty()) {
    for (GridDimension& dimension : layout.grid) {
      dimension.algorithm = choice.dimensions.at(dimension.platform_dim);
    }
  }
  return layout;
}

}  // namespace cairn::comm
