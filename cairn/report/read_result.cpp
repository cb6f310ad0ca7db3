#include "cairn/report/read_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kRounding = 1e-6;  // of times that are sums of picoseconds

struct NamedKey {
  const char* name;
  const char* key;
};

constexpr std::array<NamedKey, 4> kStepParts{{{"compute", "compute_s"},
                                              {"communication", "communication_exposed_s"},
                                              {"memory", "memory_exposed_s"},
                                              {"idle", "idle_s"}}};

constexpr std::array kStepSettings{
    "model", "device", "platform", "strategy", "devices", "batch", "steps", "endpoint"};
constexpr std::array kCollectiveSettings{
    "platform", "op", "size_B", "devices", "algorithm", "protocol", "chunks"};

std::string text_of(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream && !std::filesystem::is_directory(file)) {
    text << stream.rdbuf();
  } else {
    const int error = std::filesystem::is_directory(file) ? EISDIR : errno;
    throw ConfigError({.file = file.string(), .line = 0, .key = ""},
                      "cannot be read: " + std::generic_category().message(error));
  }
  return text.str();
}

Json parsed(const std::filesystem::path& file) {
  const std::string text = text_of(file);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<int>(1 + std::count(text.begin(), end, '\n'));
    const std::string_view rest =
        std::string_view(text).substr(std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    for (const std::string_view word : {"NaN", "Infinity"}) {
      if (rest.starts_with(word)) {
        throw ConfigError({.file = file.string(), .line = line, .key = ""},
                          fmt::format("has {}, for which JSON has no number", word));
      }
    }
    throw ConfigError({.file = file.string(), .line = line, .key = ""},
                      "is not JSON (expected what cairn run --json prints)");
  } catch (const Json::out_of_range& error) {
    // Its words end in "number overflow parsing '1e400'".
    const std::string words = error.what();
    const std::size_t from = words.find('\'') + 1;
    const std::string found = words.substr(from, words.rfind('\'') - from);
    const auto at =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find(found), text.size()));
    const auto line = static_cast<int>(1 + std::count(text.begin(), at, '\n'));
    throw ConfigError({.file = file.string(), .line = line, .key = ""},
                      fmt::format("has {}, which is too large for a number", found));
  }
}

// Values of an object, with complaints that name the file and the key.
class Reader {
 public:
  Reader(std::string file, const Json& json, std::string within = "")
      : file_(std::move(file)), json_(json), within_(std::move(within)) {}

  [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
    throw ConfigError({.file = file_, .line = 0, .key = within_ + key}, problem);
  }

  [[nodiscard]] const Json& at(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) {
      fail(key, "is missing (expected what cairn run --json or cairn collective --json prints)");
    }
    return *found;
  }

  [[nodiscard]] std::string text(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_string()) {
      fail(key, fmt::format("found {} (expected text)", value.dump()));
    }
    return value.get<std::string>();
  }

  [[nodiscard]] double number(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      const std::string found = value.is_string() ? value.get<std::string>() : value.dump();
      fail(key, fmt::format("is {} (expected a number)", found));
    }
    return value.get<double>();
  }

  [[nodiscard]] Reader inside(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_object()) {
      fail(key, "is no object");
    }
    return {file_, value, within_ + key + "."};
  }

  // Of the objects of a list; none if there is no such list.
  [[nodiscard]] std::vector<Reader> each(const std::string& key) const {
    std::vector<Reader> items;
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_array()) {
      return items;
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
      const std::string item = fmt::format("{}[{}]", key, i);
      if (!(*found)[i].is_object()) {
        fail(item, "is no object");
      }
      items.push_back({file_, (*found)[i], within_ + item + "."});
    }
    return items;
  }

  [[nodiscard]] bool has(const std::string& key) const { return json_.contains(key); }

 private:
  std::string file_;
  const Json& json_;
  std::string within_;
};

void check_version(const Reader& reader, std::string_view version) {
  const std::string of = reader.has("cairn_version") ? reader.text("cairn_version") : "";
  if (of != version) {
    reader.fail("cairn_version",
                fmt::format("the result is of {}, this is cairn {} (expected one of the same "
                            "version: make it again)",
                            of.empty() ? "a cairn that said no version yet" : "cairn " + of,
                            version));
  }
}

std::vector<TimePart> step_parts(const Reader& reader) {
  const Reader breakdown = reader.inside("breakdown");
  std::vector<TimePart> parts;
  Seconds sum(0.0);
  for (const auto& [name, key] : kStepParts) {
    parts.push_back({name, Seconds(breakdown.number(key)), key});
    sum += parts.back().time;
  }
  const double step = reader.number("step_time_s");
  if (std::abs(sum.si() - step) > kRounding * std::abs(step)) {
    reader.fail("breakdown",
                fmt::format("compute, exposed times and idle are {} s in all (expected "
                            "step_time_s, {} s)",
                            sum.si(),
                            step));
  }
  return parts;
}

// In the order in which they first come.
std::vector<TimePart> operators_by_kind(const Reader& reader) {
  std::vector<TimePart> kinds;
  for (const Reader& op : reader.each("operators")) {
    const std::string kind = op.text("kind");
    auto known = std::ranges::find(kinds, kind, &TimePart::name);
    if (known == kinds.end()) {
      known = kinds.insert(kinds.end(), {kind, Seconds(0.0)});
    }
    known->time += Seconds(op.number("time_s"));
  }
  return kinds;
}

// "512", not "512.0": as people write it.
std::string setting_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_number_float() ? fmt::format("{:.15g}", value.get<double>()) : value.dump();
}

}  // namespace

ReadResult read_result(const std::filesystem::path& file, std::string_view version) {
  const Json json = parsed(file);
  const Reader reader(file.string(), json);
  if (!json.is_object()) {
    reader.fail("", "is no result (expected what cairn run --json prints)");
  }
  const bool looks_like_one = json.contains("verb") || json.contains("step_time_s") ||
                              json.contains("time_s") || json.contains("cairn_version");
  if (looks_like_one) {
    check_version(reader, version);
  }
  ReadResult result{.file = file.string(), .verb = reader.text("verb")};
  if (result.verb != "run" && result.verb != "collective") {
    reader.fail("verb",
                fmt::format("is {} (expected a result of cairn run or cairn collective)",
                            in_quotes(result.verb)));
  }
  const bool step = result.verb == "run";
  if (reader.has("results")) {
    reader.fail("results", "are of several sizes (expected one)");
  }
  result.name = reader.has("name") ? reader.text("name") : file.string();
  result.time = Seconds(reader.number(step ? "step_time_s" : "time_s"));
  if (result.time < Seconds(0.0)) {
    reader.fail(step ? "step_time_s" : "time_s",
                fmt::format("is {} (expected at least 0)", result.time.si()));
  }
  result.bound_by = reader.text("bound_by");
  if (step) {
    result.parts = step_parts(reader);
    result.operators = operators_by_kind(reader);
  } else {
    const Seconds least(reader.number("lower_bound_s"));
    result.parts = {{"lower bound", least, "lower_bound_s"},
                    {"above it", result.time - least, "above_lower_bound_s"}};
  }
  const auto add_setting = [&](const char* key) {
    if (reader.has(key)) {
      result.settings.push_back({key, setting_text(reader.at(key))});
    }
  };
  if (step) {
    std::ranges::for_each(kStepSettings, add_setting);
  } else {
    std::ranges::for_each(kCollectiveSettings, add_setting);
  }
  for (const Reader& link : reader.each("links")) {
    result.links.push_back({link.text("name"), link.number("utilization")});
  }
  return result;
}

}  // namespace cairn::report
