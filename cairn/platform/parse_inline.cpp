// Converts TOPOLOGY:DIMS@BANDWIDTH,...,LATENCY,... to the equivalent map.
#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "cairn/base/nearest.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::platform {

namespace {

std::string_view without_outer_spaces(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ') + 1;
  return text.substr(begin, std::max(begin, end) - begin);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(without_outer_spaces(text.substr(begin, end - begin)));
    if (end == std::string_view::npos) {
      return parts;
    }
    begin = end + 1;
  }
}

Config scalar(const std::string& file, const std::string& key, const std::string& text) {
  Config config;
  config.kind = Config::Kind::kScalar;
  config.where = {file, 0, key};
  config.text = text;
  return config;
}

// One text is a scalar, several are a list.
Config scalar_or_list(const std::string& file,
                      const std::string& key,
                      const std::vector<std::string>& texts) {
  if (texts.size() == 1) {
    return scalar(file, key, texts.front());
  }
  Config config;
  config.kind = Config::Kind::kList;
  config.where = {file, 0, key};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    config.items.push_back(scalar(file, key + "[" + std::to_string(i) + "]", texts[i]));
  }
  return config;
}

void add(Config& map, const std::string& key, Config value) {
  map.keys.push_back(key);
  map.items.push_back(std::move(value));
}

// "devices x rings" -> devices, rings
std::vector<std::string> keys_of(std::string_view inline_dims) {
  std::vector<std::string> keys;
  for (const std::string& part : split(inline_dims, ' ')) {
    if (part != "x" && !part.empty()) {
      keys.push_back(part);
    }
  }
  return keys;
}

void add_dims(Config& map, const Topology& topology, const std::string& dims) {
  const std::string& text = map.where.file;
  const std::vector<std::string> numbers = split(dims, 'x');
  if (topology.inline_dims == "dims...") {
    add(map, "dims", scalar_or_list(text, "dims", numbers));
    return;
  }
  const auto keys = keys_of(topology.inline_dims);
  if (numbers.size() > keys.size()) {
    throw ConfigError({text, 0, "dims"},
                      "\"" + dims + "\" has too many numbers (expected " +
                          (keys.empty() ? "none" : std::string(topology.inline_dims)) + ")");
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    add(map, keys[i], scalar(text, keys[i], numbers[i]));
  }
}

void add_speeds(Config& map, std::string_view speeds) {
  const std::string& text = map.where.file;
  std::vector<std::string> bandwidths;
  std::vector<std::string> latencies;
  for (const std::string& part : split(speeds, ',')) {
    const bool is_time =
        std::holds_alternative<double>(try_parse_quantity(part, Seconds::kDimension));
    if (!part.empty() && part.find_first_not_of("0123456789.") == std::string::npos) {
      throw ConfigError({text, 0, bandwidths.empty() ? "bandwidth" : "latency"},
                        "\"" + part + "\" has no unit (expected e.g. \"25GB/s,500ns\")");
    }
    if (!is_time && !latencies.empty()) {
      throw ConfigError({text, 0, "latency"},
                        "\"" + part + "\" follows a latency (expected bandwidths first, then " +
                            "latencies, e.g. \"25GB/s,500ns\")");
    }
    (is_time ? latencies : bandwidths).push_back(part);
  }
  if (!bandwidths.empty()) {
    add(map, "bandwidth", scalar_or_list(text, "bandwidth", bandwidths));
  }
  if (!latencies.empty()) {
    add(map, "latency", scalar_or_list(text, "latency", latencies));
  }
}

}  // namespace

Config parse_inline(const std::string& text, const Where& where) {
  const std::size_t name_end = text.find_first_of(":@");
  const std::string name = text.substr(0, name_end);
  const Topology* topology = find_topology(name);
  if (topology == nullptr) {
    throw ConfigError(
        where, "\"" + name + "\" is not a topology (" + suggestion(name, topology_names()) + ")");
  }
  Config map;
  map.kind = Config::Kind::kMap;
  map.where = {text, 0, ""};
  add(map, "topology", scalar(text, "topology", name));
  const std::size_t at = text.find('@');
  if (name_end != std::string::npos && text[name_end] == ':') {
    add_dims(map, *topology, text.substr(name_end + 1, at - name_end - 1));
  }
  if (at != std::string::npos) {
    add_speeds(map, std::string_view(text).substr(at + 1));
  }
  return map;
}

}  // namespace cairn::platform
