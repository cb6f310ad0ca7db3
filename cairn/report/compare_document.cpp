#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/figure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/compare.hpp"

namespace cairn::report {

namespace {

using Pairs = std::span<const Compared>;

constexpr std::size_t kWidestName = 36;
constexpr std::size_t kWidestValue = 30;
constexpr std::string_view kBytes = "_B";  // the end of keys

// "a", "b", "c"
std::string letter(std::size_t result) {
  return std::string(1, static_cast<char>('a' + static_cast<char>(result)));
}

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

// A row of a table: one value per result.
template <class T>
struct Line {
  std::string name{};
  std::vector<T> of{};  // by result
};

// By name, in order of first appearance. A value that one comparison does not list is that of `a`.
template <class T, class Item>
std::vector<Line<T>> merged(Pairs pairs,
                            std::vector<Item> Compared::* items,
                            std::string Item::* name) {
  std::vector<Line<T>> lines;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<bool> met(lines.size(), false);  // names may repeat
    for (const Item& item : pairs[i].*items) {
      std::size_t l = 0;
      while (l < lines.size() && (met[l] || lines[l].name != item.*name)) {
        ++l;
      }
      if (l == lines.size()) {
        lines.push_back({item.*name, std::vector<T>(pairs.size() + 1, item.a)});
        met.push_back(false);
      }
      lines[l].of[i + 1] = item.b;
      met[l] = true;
    }
  }
  return lines;
}

// For two results with the difference; bars are relative to the largest part, not to the sum, in
// which parts may cancel out.
Table parts_table(const char* key,
                  const char* title,
                  Pairs pairs,
                  std::vector<Difference> Compared::* parts,
                  bool with_total) {
  const bool two = pairs.size() == 1;
  Table table{
      .key = key,
      .columns = {{.key = "part", .label = title, .align = Align::kLeft, .widest = kWidestName}}};
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    table.columns.push_back({.key = letter(i) + "_s", .label = letter(i)});
    if (i > 0) {
      table.columns.push_back({.key = (i == 1 ? "" : letter(i) + "_") + "difference_s"});
    }
  }
  if (two) {
    table.columns.push_back({.label = "b - a"});
    table.columns.push_back({.label = "", .show = Show::kBar});
  }
  Seconds most(0.0);
  for (const Difference& part : pairs.front().parts) {
    most = std::max(most, size_of(part.difference()));
  }
  const auto row = [&](const Line<Seconds>& line, bool with_bar) {
    std::vector<Value> cells{line.name, line.of.front()};
    for (std::size_t i = 1; i < line.of.size(); ++i) {
      cells.emplace_back(line.of[i]);
      cells.emplace_back(line.of[i] - line.of.front());
    }
    if (two) {
      const Seconds by = line.of[1] - line.of[0];
      const bool same = size_of(by) <= pairs.front().rounding();
      cells.emplace_back(same ? to_text(Seconds(0.0)) : signed_text(by));
      cells.push_back(with_bar ? Value(same ? 0.0 : size_of(by) / most) : Value());
    }
    return cells;
  };
  Line<Seconds> all{"total", std::vector<Seconds>(pairs.size() + 1, Seconds(0.0))};
  for (const auto& line : merged<Seconds>(pairs, parts, &Difference::part)) {
    table.rows.push_back(row(line, true));
    for (std::size_t i = 0; i < line.of.size(); ++i) {
      all.of[i] += line.of[i];
    }
  }
  if (with_total) {
    table.total = row(all, false);
  }
  return table;
}

std::string bytes_text(const std::string& value) {
  const auto figure = figure_in(value);
  return figure && figure->unit.empty() ? to_text(Bytes(figure->number)) : value;
}

// "platform.latency" if the platforms differ: their names cover it.
bool is_implied_by_name(const std::string& key, const std::vector<Line<std::string>>& settings) {
  constexpr std::array<std::string_view, 4> kNamed{"model", "device", "platform", "endpoint"};
  return std::ranges::any_of(settings, [&](const Line<std::string>& other) {
    return std::ranges::find(kNamed, other.name) != kNamed.end() &&
           key.starts_with(other.name + ".");
  });
}

Table settings_table(Pairs pairs) {
  const auto settings = merged<std::string>(pairs, &Compared::settings, &Compared::Setting::key);
  Table table{.key = "settings",
              .columns = {{.key = "key"},
                          {.label = "setting", .align = Align::kLeft, .widest = kWidestName}},
              .shown = 12,
              .counts_hidden = true};
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    table.columns.push_back({.key = letter(i)});
    table.columns.push_back({.label = letter(i), .align = Align::kLeft, .widest = kWidestValue});
  }
  for (const auto& [key, values] : settings) {
    const bool bytes = key.ends_with(kBytes);
    std::vector<Value>& row = table.rows.emplace_back();
    row = {key, key.substr(0, key.size() - (bytes ? kBytes.size() : 0))};
    for (const std::string& value : values) {
      row.emplace_back(value);
      row.emplace_back(value.empty() ? "-" : bytes ? bytes_text(value) : value);
    }
    table.hidden.push_back(is_implied_by_name(key, settings));
  }
  return table;
}

Table links_table(Pairs pairs) {
  // Smaller differences in utilization are hidden: text shows a tenth of a percent.
  constexpr double kSameUse = 0.0005;
  using Use = std::optional<double>;
  const bool two = pairs.size() == 1;
  Table table{.key = "links",
              .columns = {{.key = "name",
                           .label = "link utilization",
                           .align = Align::kLeft,
                           .widest = kWidestName,
                           .numbered = true}},
              .shown = 5,
              .counts_hidden = true};
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    table.columns.push_back(
        {.key = letter(i) + "_utilization", .label = letter(i), .show = Show::kPercent});
  }
  if (two) {
    table.columns.push_back({.label = "b - a (points)"});
  }
  for (const auto& [name, uses] : merged<Use>(pairs, &Compared::links, &Compared::Link::name)) {
    std::vector<Value>& row = table.rows.emplace_back();
    row.emplace_back(name);
    double change = 0.0;
    for (const Use& use : uses) {
      row.emplace_back(use);
      change = std::max(change, std::abs(use.value_or(0.0) - uses.front().value_or(0.0)));
    }
    if (two) {
      row.emplace_back(uses[0] && uses[1] ? fmt::format("{:+.1f}", 100.0 * (*uses[1] - *uses[0]))
                                          : "");
    }
    table.hidden.push_back(change < kSameUse);
  }
  return table;
}

Value side_of(const ReadResult& result) {
  Object side{{"file", result.file}, {"name", result.name}};
  for (const ReadResult::Setting& setting : result.settings) {
    side.push_back({setting.key, setting.value});
  }
  side.push_back({result.verb == "run" ? "step_time_s" : "time_s", result.time});
  Object breakdown;
  for (const TimePart& part : result.parts) {
    breakdown.push_back({part.key, part.time});
  }
  side.push_back({"breakdown", std::move(breakdown)});
  side.push_back({"bound_by", result.bound_by});
  return side;
}

// Two results as "a -> b"; more results on one line each.
void add_times(Pairs pairs, Document& document) {
  const auto& [a, b, parts, compute, settings, links] = pairs.front();
  const char* label = a.verb == "run" ? "step time" : "time";
  if (pairs.size() == 1) {
    document.add(Field{.label = label,
                       .text = fmt::format("{} -> {}", to_text(a.time), to_text(b.time)),
                       .note = in_words(pairs.front())});
    document.add(Field{.label = "bound by",
                       .text = a.bound_by == b.bound_by
                                   ? a.bound_by
                                   : fmt::format("{} -> {}", a.bound_by, b.bound_by)});
    return;
  }
  document.add(Field{
      .label = label, .text = to_text(a.time), .note = fmt::format("a, bound by {}", a.bound_by)});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    document.add(
        Field{.label = " ",
              .text = to_text(pairs[i].b.time),
              .note = fmt::format(
                  "{}, {}, bound by {}", letter(i + 1), in_words(pairs[i]), pairs[i].b.bound_by)});
  }
}

// "+12.3 %" for numbers; empty for texts, and where `a` is 0.
std::string relative_change(const std::string& a, const std::string& b) {
  const auto from = figure_in(a);
  const auto to = figure_in(b);
  const bool numbers = from && to && from->unit.empty() && to->unit.empty() && from->number != 0.0;
  return numbers ? fmt::format("{:+.3g} %", 100.0 * (to->number / from->number - 1.0)) : "";
}

// A number with four digits; texts as they are.
std::string short_value(const std::string& value) {
  const auto figure = figure_in(value);
  return value.empty() ? "-" : figure && figure->unit.empty() ? many(figure->number) : value;
}

// Results of commands that break no time down: each value that differs.
Document document_of_values(Pairs pairs) {
  const ReadResult& a = pairs.front().a;
  Document document{.verb = "compare", .title = "values that differ: "};
  document.add("compared", a.verb);
  document.add("a", Object{{"file", a.file}, {"name", a.name}});
  Table table{.key = "differences",
              .columns = {{.key = "key", .label = "value", .align = Align::kLeft, .widest = 48}},
              .shown = 30};
  for (std::size_t i = 0; i <= pairs.size(); ++i) {
    if (i > 0) {
      const ReadResult& b = pairs[i - 1].b;
      document.add(letter(i), Object{{"file", b.file}, {"name", b.name}});
      document.title += (i > 1 ? ", " : "") + letter(i) + ", " + b.file;
    }
    table.columns.push_back({.key = letter(i)});
    table.columns.push_back({.label = letter(i), .widest = kWidestValue});
    if (i > 0) {
      table.columns.push_back({.label = "change"});
    }
  }
  document.title += " against a, " + a.file;
  for (const auto& [key, values] :
       merged<std::string>(pairs, &Compared::settings, &Compared::Setting::key)) {
    std::vector<Value>& row = table.rows.emplace_back();
    row.emplace_back(key);
    for (std::size_t i = 0; i < values.size(); ++i) {
      row.emplace_back(values[i]);
      row.emplace_back(short_value(values[i]));
      if (i > 0) {
        row.emplace_back(relative_change(values.front(), values[i]));
      }
    }
  }
  if (table.rows.empty()) {
    document.add(Paragraph{.text = "no value differs"});
  }
  document.add(std::move(table));
  return document;
}

}  // namespace

Document document_of(Pairs compared) {
  ensure(!compared.empty() && compared.size() < kMaxCompared, "more results than letters");
  const ReadResult& a = compared.front().a;
  if (!a.has_time()) {
    return document_of_values(compared);
  }
  Document document{.verb = "compare"};
  document.add("compared", a.verb);
  document.add("a", side_of(a));
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const std::string name = letter(i + 1);
    document.title += fmt::format("{}, {}, ", name, compared[i].b.name);
    document.add(name, side_of(compared[i].b));
    document.add((i == 0 ? "" : name + "_") + "difference_s", compared[i].difference());
  }
  document.title += "against a, " + a.name;
  add_times(compared, document);
  document.add(settings_table(compared));
  document.add(parts_table("differences", "where the time goes", compared, &Compared::parts, true));
  const bool in_detail =
      std::ranges::none_of(compared, [](const Compared& each) { return each.compute.empty(); });
  if (in_detail) {
    document.add(
        parts_table("compute", "compute by operator", compared, &Compared::compute, false));
  }
  document.add(links_table(compared));
  return document;
}

}  // namespace cairn::report
