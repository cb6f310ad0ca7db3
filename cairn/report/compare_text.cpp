#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/base/figure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/compare.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/numbered.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLinksShown = 5;
constexpr std::size_t kSettingsShown = 12;
constexpr std::size_t kWidestName = 36;
constexpr std::size_t kWidestValue = 30;
constexpr std::string_view kBytes = "_B";  // the end of keys
// Of what a link can carry: less is the same to people, who read a tenth of a percent.
constexpr double kSameUse = 0.0005;

std::string signed_text(Seconds difference) {
  return (difference > Seconds(0.0) ? "+" : "") + to_text(difference);
}

Seconds size_of(Seconds difference) {
  return std::max(difference, -difference);
}

// "8.637 times as fast", "12.3 % longer".
std::string in_words(const Compared& compared) {
  const Seconds a = compared.a.time;
  const Seconds b = compared.b.time;
  if (size_of(b - a) <= compared.rounding()) {
    return "the same";
  }
  if (a <= Seconds(0.0) || b <= Seconds(0.0)) {
    return signed_text(b - a);
  }
  const bool faster = b < a;
  const double ratio = faster ? a / b : b / a;
  if (ratio >= 2.0) {
    return fmt::format("{} times as {}", many(ratio), faster ? "fast" : "long");
  }
  return fmt::format("{:.3g} % {}", 100.0 * std::abs(b / a - 1.0), faster ? "shorter" : "longer");
}

Seconds most_of(const std::vector<Difference>& parts) {
  Seconds most(0.0);
  for (const Difference& part : parts) {
    most = std::max(most, size_of(part.difference()));
  }
  return most;
}

// Bars are as long as the part is of the largest, not of the sum, in which parts may cancel out.
std::string parts_table(const char* title,
                        const std::vector<Difference>& parts,
                        const Compared& compared,
                        bool all) {
  const Seconds most = most_of(compared.parts);
  Difference sum{.part = "all"};
  for (const Difference& part : parts) {
    sum.a += part.a;
    sum.b += part.b;
  }
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const Difference& part, bool with_bar) {
    const bool same = size_of(part.difference()) <= compared.rounding();
    rows.push_back({part.part,
                    to_text(part.a),
                    to_text(part.b),
                    same ? to_text(Seconds(0.0)) : signed_text(part.difference()),
                    with_bar ? bar(same ? 0.0 : size_of(part.difference()) / most) : ""});
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
  const auto figure = figure_in(value);
  return figure && figure->unit.empty() ? to_text(Bytes(figure->number)) : value;
}

// "platform.latency" where the platform is another one: its name says it.
bool is_of_another(const Compared::Setting& setting,
                   const std::vector<Compared::Setting>& settings) {
  constexpr std::array<std::string_view, 4> kNamed{"model", "device", "platform", "endpoint"};
  return std::ranges::any_of(settings, [&](const Compared::Setting& other) {
    return std::ranges::find(kNamed, other.key) != kNamed.end() &&
           setting.key.starts_with(other.key + ".");
  });
}

std::string settings_table(const std::vector<Compared::Setting>& settings) {
  std::vector<std::vector<std::string>> rows;
  for (const Compared::Setting& setting : settings) {
    if (rows.size() == kSettingsShown) {
      break;
    }
    if (is_of_another(setting, settings)) {
      continue;
    }
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
             : "\n" +
                   table_text(
                       {{.header = "what differs", .align = Align::kLeft, .widest = kWidestName},
                        {.header = "a", .align = Align::kLeft, .widest = kWidestValue},
                        {.header = "b", .align = Align::kLeft, .widest = kWidestValue}},
                       rows) +
                   more_text(settings.size() - rows.size());
}

std::string links_table(const std::vector<Compared::Link>& links) {
  std::vector<std::vector<std::string>> rows;
  Numbered numbered;  // cables between the same ends have the same name
  for (const Compared::Link& link : links) {
    if (rows.size() == kLinksShown || link.change() < kSameUse) {
      break;
    }
    const auto use = [](const std::optional<double>& part) { return part ? percent(*part) : "-"; };
    rows.push_back({numbered(link.name),
                    use(link.a),
                    use(link.b),
                    link.a && link.b ? fmt::format("{:+.1f}", 100.0 * (*link.b - *link.a)) : ""});
  }
  if (rows.empty()) {
    return "";
  }
  const std::string text =
      "\n" + table_text({{.header = "busy", .align = Align::kLeft, .widest = kWidestName},
                         {.header = "a"},
                         {.header = "b"},
                         {.header = "b - a, points"}},
                        rows);
  return text + more_text(links.size() - rows.size());
}

// With texts of the files as one line each: a name may hold anything.
Compared in_lines(Compared compared) {
  for (ReadResult* side : {&compared.a, &compared.b}) {
    side->name = printable(side->name);
    side->bound_by = printable(side->bound_by);
  }
  for (Difference& kind : compared.compute) {
    kind.part = printable(kind.part);
  }
  for (Compared::Setting& setting : compared.settings) {
    setting.a = printable(setting.a);
    setting.b = printable(setting.b);
  }
  for (Compared::Link& link : compared.links) {
    link.name = printable(link.name);
  }
  return compared;
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
  const auto& [a, b, parts, compute, settings, links] = in_lines(compared);
  std::string text = wrap_text(fmt::format("b, {}, against a, {}", b.name, a.name), 0) + "\n\n";
  text += labelled(
      a.verb == "run" ? "step time" : "time",
      noted(fmt::format("{} -> {}", to_text(a.time), to_text(b.time)), in_words(compared)));
  text += labelled(
      "bound by",
      a.bound_by == b.bound_by ? a.bound_by : fmt::format("{} -> {}", a.bound_by, b.bound_by));
  text += settings_table(settings);
  text += parts_table("where the time goes", parts, compared, true);
  if (!compute.empty()) {
    text += parts_table("of compute", compute, compared, false);
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
    const auto use = [](const std::optional<double>& part) { return part ? Json(*part) : Json(); };
    links.push_back(
        {{"name", link.name}, {"a_utilization", use(link.a)}, {"b_utilization", use(link.b)}});
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
