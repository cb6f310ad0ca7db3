#include "cairn/report/read_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/text_file.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/result_values.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidestFound = 60;

struct NamedKey {
  const char* name;
  const char* key;
};

constexpr std::array<NamedKey, 4> kStepParts{{{"compute", "compute_s"},
                                              {"communication", "communication_exposed_s"},
                                              {"memory", "memory_exposed_s"},
                                              {"idle", "idle_s"}}};

// A setting of a result: text or a number.
struct SettingKey {
  const char* key;
  bool is_number = false;
};

constexpr std::array<SettingKey, 8> kStepSettings{{{"model"},
                                                   {"device"},
                                                   {"platform"},
                                                   {"strategy"},
                                                   {"devices", true},
                                                   {"batch", true},
                                                   {"steps", true},
                                                   {"endpoint"}}};
constexpr std::array<SettingKey, 7> kCollectiveSettings{{{"platform"},
                                                         {"op"},
                                                         {"size_B", true},
                                                         {"devices", true},
                                                         {"algorithm"},
                                                         {"protocol"},
                                                         {"chunks", true}}};

// Throws ConfigError for lists and objects nested too deeply for recursion.
void check_nesting(std::string_view text, const std::string& file) {
  std::size_t depth = 0;
  int line = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    line += c == '\n' ? 1 : 0;
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      i += c == '\\' ? 1U : 0U;
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1U : 0U;
    } else if ((c == '[' || c == '{') && ++depth > kDeepestNesting) {
      throw ConfigError({.file = file, .line = line, .key = ""},
                        fmt::format("nested deeper than {} levels", kDeepestNesting));
    }
  }
}

Json parsed(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  check_nesting(text, file.string());
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
                          fmt::format("has {} (expected a finite number)", word));
      }
    }
    throw ConfigError({.file = file.string(), .line = line, .key = ""},
                      "is not JSON (expected the --json output of a cairn command)");
  } catch (const Json::out_of_range& error) {
    // The message ends in "number overflow parsing '1e400'".
    const std::string words = error.what();
    const std::size_t from = words.find('\'') + 1;
    const std::string found = words.substr(from, words.rfind('\'') - from);
    const auto at =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find(found), text.size()));
    const auto line = static_cast<int>(1 + std::count(text.begin(), at, '\n'));
    throw ConfigError({.file = file.string(), .line = line, .key = ""},
                      fmt::format("has {}, which is too large (expected a finite number)",
                                  cut_text(found, kWidestFound)));
  }
}

// Results encode non-finite numbers as "NaN" and "Infinity"; long values are cut.
std::string found_text(const Json& value) {
  if (value.is_string()) {
    const std::string words = value.get<std::string>();
    const bool is_number = words == "NaN" || words == "Infinity" || words == "-Infinity";
    return is_number ? words : in_quotes(words);
  }
  return cut_text(value.dump(), kWidestFound);
}

// Values of an object, with errors that name the file and the key.
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
      fail(key, "is missing (expected the --json output of a cairn command)");
    }
    return *found;
  }

  [[nodiscard]] std::string text(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_string()) {
      fail(key, fmt::format("is {} (expected text)", found_text(value)));
    }
    return value.get<std::string>();
  }

  [[nodiscard]] double number(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      fail(key, fmt::format("is {} (expected a number)", found_text(value)));
    }
    return value.get<double>();
  }

  // At least `least`, which is 0 or slightly below for rounding.
  [[nodiscard]] double at_least(const std::string& key, double least = 0.0) const {
    const double value = number(key);
    if (value < least) {
      fail(key, fmt::format("is {} (expected at least 0)", value));
    }
    return value;
  }

  [[nodiscard]] Reader inside(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_object()) {
      fail(key, fmt::format("is {} (expected an object)", found_text(value)));
    }
    return {file_, value, within_ + key + "."};
  }

  // Readers of the objects of a list; empty if the list is absent.
  [[nodiscard]] std::vector<Reader> each(const std::string& key) const {
    std::vector<Reader> items;
    const auto found = json_.find(key);
    if (found == json_.end()) {
      return items;
    }
    if (!found->is_array()) {
      fail(key, fmt::format("is {} (expected a list)", found_text(*found)));
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
      const std::string item = fmt::format("{}[{}]", key, i);
      if (!(*found)[i].is_object()) {
        fail(item, fmt::format("is {} (expected an object)", found_text((*found)[i])));
      }
      items.push_back({file_, (*found)[i], within_ + item + "."});
    }
    return items;
  }

  // The members of an object of texts.
  [[nodiscard]] std::vector<ReadResult::Setting> texts() const {
    std::vector<ReadResult::Setting> all;
    for (const auto& [key, value] : json_.items()) {
      all.push_back({key, value.is_string() ? value.get<std::string>() : text(key)});
    }
    return all;
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
                fmt::format("the result is from {}, this is cairn {} (expected the same "
                            "version: run it again)",
                            of.empty() ? "a cairn without version" : "cairn " + of,
                            version));
  }
}

std::vector<TimePart> step_parts(const Reader& reader) {
  const Reader breakdown = reader.inside("breakdown");
  const double step = reader.at_least("step_time_s");
  std::vector<TimePart> parts;
  Seconds sum(0.0);
  for (const auto& [name, key] : kStepParts) {
    parts.push_back({name, Seconds(breakdown.at_least(key, -kRounding * step)), key});
    sum += parts.back().time;
  }
  if (std::abs(sum.si() - step) > kRounding * std::abs(step)) {
    reader.fail("breakdown",
                fmt::format("compute, exposed times and idle add up to {} s (expected "
                            "step_time_s, {} s)",
                            sum.si(),
                            step));
  }
  return parts;
}

// Operators of the stage that the breakdown describes, in order of first appearance.
std::vector<TimePart> operators_by_kind(const Reader& reader) {
  const double stage = reader.number("breakdown_stage");
  std::vector<TimePart> kinds;
  for (const Reader& op : reader.each("operators")) {
    if (op.number("stage") != stage) {
      continue;
    }
    const std::string kind = op.text("kind");
    auto known = std::ranges::find(kinds, kind, &TimePart::name);
    if (known == kinds.end()) {
      known = kinds.insert(kinds.end(), {kind, Seconds(0.0)});
    }
    known->time += Seconds(op.at_least("time_s"));
  }
  return kinds;
}

// "512", not "512.0".
std::string setting_text(const Reader& reader, const SettingKey& setting) {
  constexpr int kDigits = 15;
  return setting.is_number ? many(reader.at_least(setting.key), kDigits) : reader.text(setting.key);
}

// The lower bound, and the time above it.
std::vector<TimePart> collective_parts(const Reader& reader, Seconds time) {
  const Seconds least(reader.at_least("lower_bound_s"));
  if (least > time * (1.0 + kRounding)) {
    reader.fail("lower_bound_s",
                fmt::format("is {} (expected at most time_s, {})", least.si(), time.si()));
  }
  return {{"lower bound", least, "lower_bound_s"},
          {"above lower bound", time - least, "above_lower_bound_s"}};
}

ReadResult result_in(const Json& json, const std::string& file, std::string_view version) {
  const Reader reader(file, json);
  if (!json.is_object()) {
    reader.fail("", "is not a result (expected the --json output of a cairn command)");
  }
  const bool looks_like_one = json.contains("verb") || json.contains("step_time_s") ||
                              json.contains("time_s") || json.contains("cairn_version");
  if (looks_like_one) {
    check_version(reader, version);
  }
  ReadResult result{.file = file, .verb = reader.text("verb")};
  if (result.verb == "compare") {
    reader.fail("verb", "is \"compare\" (expected a result of another command)");
  }
  if (!result.has_time()) {
    result.name = reader.has("name") ? reader.text("name") : file;
    for (NamedValue& value : values_of_result(json)) {
      result.values.push_back({std::move(value.key), std::move(value.value)});
    }
    return result;
  }
  const bool step = result.verb == "run";
  if (reader.has("results")) {
    reader.fail("results", "has several sizes (expected a result of one size)");
  }
  result.name = reader.has("name") ? reader.text("name") : file;
  result.time = Seconds(reader.at_least(step ? "step_time_s" : "time_s"));
  result.bound_by = reader.text("bound_by");
  if (step) {
    result.parts = step_parts(reader);
    result.operators = operators_by_kind(reader);
  } else {
    result.parts = collective_parts(reader, result.time);
  }
  const auto add_setting = [&](const SettingKey& setting) {
    if (reader.has(setting.key)) {
      result.settings.push_back({setting.key, setting_text(reader, setting)});
    }
  };
  if (step) {
    std::ranges::for_each(kStepSettings, add_setting);
  } else {
    std::ranges::for_each(kCollectiveSettings, add_setting);
  }
  if (reader.has("design")) {
    result.design = reader.inside("design").texts();
  }
  for (const Reader& link : reader.each("links")) {
    result.links.push_back({link.text("name"), link.at_least("utilization")});
  }
  return result;
}

}  // namespace

ReadResult read_result(const std::filesystem::path& file, std::string_view version) {
  return result_in(parsed(file), file.string(), version);
}

ReadResult read_result(const Document& document, const std::string& source) {
  return result_in(json_tree(document, Detail::kAll), source, document.version);
}

}  // namespace cairn::report
