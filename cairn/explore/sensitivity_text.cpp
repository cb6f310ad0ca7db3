#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/base/figure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/sensitivity.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::explore {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::Column;

constexpr double kSmallest = 1e-5;  // of the step time, that is printed: 0.001 %

std::string rounded(const std::string& value) {
  Figure figure = figure_in(value).value_or(Figure{});
  return fmt::format("{}{}{}", many(figure.number), figure.unit.empty() ? "" : " ", figure.unit);
}

// Whether what is printed of it says so. More and less may both make steps longer, as where tiles
// just fit, so that the elasticity between them says nothing.
bool matters(const Effect& effect) {
  const auto is_seen = [](double ratio) { return std::abs(ratio - 1.0) >= kSmallest / 2.0; };
  return is_seen(effect.ratio) || is_seen(effect.less_ratio);
}

// Of step times, in percent.
std::string change_text(double ratio) {
  return fmt::format("{:+.3f} %", (ratio - 1.0) * 100.0);
}

Json effects_json(const Sensitivity& found) {
  Json elasticities = Json::array();
  for (const Effect& effect : found.effects) {
    elasticities.push_back({{"parameter", effect.parameter.key},
                            {"value", effect.elasticity},
                            {"is", effect.parameter.value},
                            {"changed_to", effect.changed_to},
                            {"step_time_ratio", effect.ratio},
                            {"step_time_ratio_less", effect.less_ratio},
                            {"relieves", effect.relieves}});
  }
  return elasticities;
}

}  // namespace

std::string sensitivity_text(const std::string& design,
                             const Sensitivity& found,
                             const SensitivityOptions& options) {
  std::string text =
      report::wrap_text(design + ": what more of each number changes of the step time", 0) +
      "\n\n" + report::labelled("step time", to_text(found.step_time)) +
      report::labelled("bound by", found.bound_by) + "\n";
  std::vector<Column> columns{
      {.header = "key", .align = Align::kLeft, .widest = 48},
      {.header = "is", .widest = 12},
      {.header = options.one_way ? many(options.factor, 6) + "x" : "1 % more"}};
  if (!options.one_way) {
    columns.push_back({.header = "1 % less"});
  }
  columns.push_back({.header = "mostly", .align = Align::kLeft, .widest = 25});
  std::vector<std::vector<std::string>> rows;
  std::size_t others = 0;
  for (const Effect& effect : found.effects) {
    if (!matters(effect)) {
      ++others;
      continue;
    }
    std::vector<std::string> row{
        effect.parameter.key, rounded(effect.parameter.value), change_text(effect.ratio)};
    if (!options.one_way) {
      row.push_back(change_text(effect.less_ratio));
    }
    row.push_back(effect.relieves);
    rows.push_back(std::move(row));
  }
  text += rows.empty() ? "" : report::table_text(columns, rows) + "\n";
  std::string rest =
      fmt::format("{} less than {} %",
                  report::count(others, "other number changes it by", "other numbers change it by"),
                  many(100.0 * kSmallest));
  if (!found.cannot_change.empty()) {
    rest += fmt::format(
        "; {} cannot be changed so: whole numbers, shares of all there is, or at a limit",
        found.cannot_change.size());
  }
  return text + report::wrap_text(rest, 0) + "\n";
}

std::string elasticities_json(const Sensitivity& found) {
  std::string text = report::json_text(effects_json(found));
  text.pop_back();  // the line break: it is a part of something
  return text;
}

std::string sensitivity_json(const Sensitivity& found, const SensitivityOptions& options) {
  Json unchanged = Json::array();
  for (const Parameter& parameter : found.cannot_change) {
    unchanged.push_back(parameter.key);
  }
  const Json json{{"step_time_s", found.step_time.si()},
                  {"bound_by", found.bound_by},
                  {"factor", options.factor},
                  {"elasticities", effects_json(found)},
                  {"cannot_change", std::move(unchanged)}};
  return report::json_text(json);
}

}  // namespace cairn::explore
