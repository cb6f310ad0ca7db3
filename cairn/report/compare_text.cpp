#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/report/compare.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

// A name in a file may hold anything; a terminal obeys control characters.
std::string printable(std::string_view text) {
  std::string shown;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    shown += code < 0x20 || code == 0x7F ? fmt::format("\\x{:02x}", code) : std::string(1, byte);
  }
  return shown;
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kLinksShown = 5;
constexpr std::size_t kWidestName = 36;
constexpr std::size_t kWidestValue = 30;
constexpr std::string_view kBytes = "_B";  // the end of keys
// Of what a link can carry: less is the same to people, who read a tenth of a percent.
constexpr double kSameUse = 0.0005;

std::string signed_text(Seconds difference) {
  return (difference > Seconds(0.0) ? "+" : "") + to_text(difference);
}

// What differs by less than times are worth (each event of a step is rounded to a picosecond) is
// the same to people.
std::string difference_text(const Difference& part) {
  constexpr double kRounding = 1e-9;
  const Seconds longer = std::max(part.a, part.b);
  return std::abs(part.difference().si()) <= kRounding * longer.si()
             ? to_text(Seconds(0.0))
             : signed_text(part.difference());
}

// "8.64 times as fast", "12.3 % slower".
std::string in_words(Seconds a, Seconds b) {
  if (a == b) {
    return "the same";
  }
  if (a <= Seconds(0.0) || b <= Seconds(0.0)) {
    return signed_text(b - a);
  }
  const bool faster = b < a;
  const double ratio = faster ? a / b : b / a;
  if (ratio >= 2.0) {
    return fmt::format("{:.4g} times as {}", ratio, faster ? "fast" : "long");
  }
  return fmt::format("{:.3g} % {}", 100.0 * std::abs(b / a - 1.0), faster ? "shorter" : "longer");
}

Seconds most_of(const std::vector<Difference>& parts) {
  Seconds most(0.0);
  for (const Difference& part : parts) {
    most = std::max({most, part.difference(), -part.difference()});
  }
  return most;
}

// Bars are as long as the part is of `most`, not of the sum, in which parts may cancel out.
std::string parts_table(const char* title,
                        const std::vector<Difference>& parts,
                        Seconds most,
                        bool all) {
  Difference sum{.part = "all"};
  for (const Difference& part : parts) {
    sum.a += part.a;
    sum.b += part.b;
  }
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const Difference& part, bool with_bar) {
    const double length = most > Seconds(0.0) ? std::abs(part.difference() / most) : 0.0;
    rows.push_back({part.part,
                    to_text(part.a),
                    to_text(part.b),
                    difference_text(part),
                    with_bar ? bar(length) : ""});
  };
  for (const Difference& part : parts) {
    add(part, true);
  }
  if (all) {
    add(sum, false);
  }
  return "\n" + table_text({{.header = title, .align = Align::kLeft, .widest = kWidestName},
                            {.header = "a"},
                            {.header = "b"},
                            {.header = "b - a"},
                            {.header = "", .align = Align::kLeft}},
                           rows);
}

std::string bytes_text(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return *end == '\0' && std::isfinite(number) && number >= 0.0 ? to_text(Bytes(number)) : value;
}

std::string settings_table(const std::vector<Compared::Setting>& settings) {
  std::vector<std::vector<std::string>> rows;
  for (const Compared::Setting& setting : settings) {
    const bool bytes = setting.key.ends_with(kBytes);
    const auto shown = [&](const std::string& value) {
      return value.empty() ? "-" : bytes ? bytes_text(value) : value;
    };
    const std::string name =
        setting.key.substr(0, setting.key.size() - (bytes ? kBytes.size() : 0));
    rows.push_back({name, shown(setting.a), shown(setting.b)});
  }
  return rows.empty()
             ? ""
             : "\n" + table_text(
                          {{.header = "what differs", .align = Align::kLeft, .widest = kWidestName},
                           {.header = "a", .align = Align::kLeft, .widest = kWidestValue},
                           {.header = "b", .align = Align::kLeft, .widest = kWidestValue}},
                          rows);
}

std::string links_table(const std::vector<Compared::Link>& links) {
  std::vector<std::vector<std::string>> rows;
  for (const Compared::Link& link : links) {
    if (rows.size() == kLinksShown || std::abs(link.b - link.a) < kSameUse) {
      break;
    }
    rows.push_back({printable(link.name),
                    percent(link.a),
                    percent(link.b),
                    fmt::format("{:+.1f} %", 100.0 * (link.b - link.a))});
  }
  if (rows.empty()) {
    return "";
  }
  std::string text =
      "\n" + table_text({{.header = "busy", .align = Align::kLeft, .widest = kWidestName},
                         {.header = "a"},
                         {.header = "b"},
                         {.header = "b - a"}},
                        rows);
  if (links.size() > rows.size()) {
    text += fmt::format("and {} more; --json has all\n", links.size() - rows.size());
  }
  return text;
}

Json side_json(const ReadResult& result) {
  Json json{{"file", result.file}, {"name", result.name}};
  for (const ReadResult::Setting& setting : result.settings) {
    json[setting.key] = setting.value;
  }
  json[result.verb == "run" ? "step_time_s" : "time_s"] = result.time.si();
  for (const TimePart& part : result.parts) {
    json["breakdown"][part.key] = part.time.si();
  }
  json["bound_by"] = result.bound_by;
  return json;
}

Json differences_json(const std::vector<Difference>& parts) {
  Json json = Json::array();
  for (const Difference& part : parts) {
    json.push_back({{"part", part.part},
                    {"a_s", part.a.si()},
                    {"b_s", part.b.si()},
                    {"difference_s", part.difference().si()}});
  }
  return json;
}

}  // namespace

std::string compared_text(const Compared& compared) {
  const auto& [a, b, parts, compute, settings, links] = compared;
  std::string text =
      wrap_text(fmt::format("b, {}, against a, {}", printable(b.name), printable(a.name)), 0) +
      "\n\n";
  text += labelled(
      a.verb == "run" ? "step time" : "time",
      noted(fmt::format("{} -> {}", to_text(a.time), to_text(b.time)), in_words(a.time, b.time)));
  text += labelled(
      "bound by",
      a.bound_by == b.bound_by ? a.bound_by : fmt::format("{} -> {}", a.bound_by, b.bound_by));
  text += settings_table(settings);
  text += parts_table("where the time goes", parts, most_of(parts), true);
  if (!compute.empty()) {
    text += parts_table("of compute", compute, most_of(parts), false);
  }
  return text + links_table(links);
}

std::string compared_json(const Compared& compared) {
  Json settings = Json::array();
  for (const Compared::Setting& setting : compared.settings) {
    settings.push_back({{"key", setting.key}, {"a", setting.a}, {"b", setting.b}});
  }
  Json links = Json::array();
  for (const Compared::Link& link : compared.links) {
    links.push_back({{"name", link.name}, {"a_utilization", link.a}, {"b_utilization", link.b}});
  }
  Json json{{"compared", compared.a.verb},
            {"a", side_json(compared.a)},
            {"b", side_json(compared.b)},
            {"difference_s", compared.difference().si()},
            {"differences", differences_json(compared.parts)}};
  if (!compared.compute.empty()) {
    json["compute"] = differences_json(compared.compute);
  }
  json["settings"] = std::move(settings);
  json["links"] = std::move(links);
  return json_text(std::move(json));
}

}  // namespace cairn::report
