#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/base/figure.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/sensitivity.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/table.hpp"

namespace cairn::explore {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::Column;

constexpr double kHardly = 1e-4;  // an elasticity that is not worth a line

std::string rounded(const std::string& value) {
  Figure figure = figure_in(value).value_or(Figure{});
  return fmt::format("{:.4g}{}{}", figure.number, figure.unit.empty() ? "" : " ", figure.unit);
}

Json effects_json(const Sensitivity& found) {
  Json elasticities = Json::array();
  for (const Effect& effect : found.effects) {
    elasticities.push_back({{"parameter", effect.parameter.key},
                            {"value", effect.elasticity},
                            {"is", effect.parameter.value},
                            {"changed_to", effect.changed_to},
                            {"step_time_ratio", effect.ratio},
                            {"relieves", effect.relieves}});
  }
  return elasticities;
}

}  // namespace

std::string sensitivity_text(const Sensitivity& found, const SensitivityOptions& options) {
  std::string text =
      report::wrap_text(
          fmt::format("step time {}, bound by {}; what more of each number changes of it",
                      to_text(found.step_time),
                      found.bound_by),
          0) +
      "\n\n";
  std::vector<Column> columns{
      {.header = "key", .align = Align::kLeft, .widest = 48},
      {.header = "is", .widest = 12},
      {.header = options.one_way ? fmt::format("{:g}x", options.factor) : "1 % more"},
      {.header = "mostly", .align = Align::kLeft, .widest = 25}};
  std::vector<std::vector<std::string>> rows;
  std::size_t others = 0;
  for (const Effect& effect : found.effects) {
    if (std::abs(effect.elasticity) < kHardly) {
      ++others;
      continue;
    }
    const double change =
        options.one_way ? effect.ratio - 1.0 : std::exp(effect.elasticity * std::log(1.01)) - 1.0;
    rows.push_back({effect.parameter.key,
                    rounded(effect.parameter.value),
                    fmt::format("{:+.3f} %", change * 100.0),
                    effect.relieves});
  }
  text += rows.empty() ? "" : report::table_text(columns, rows) + "\n";
  std::string rest = fmt::format("{} other numbers hardly matter", others);
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
