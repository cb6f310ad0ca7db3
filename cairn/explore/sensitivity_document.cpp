#include "cairn/explore/sensitivity_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/count_text.hpp"
#include "cairn/base/figure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::explore {

namespace {

using report::Align;
using report::Document;
using report::Field;
using report::Table;

constexpr double kSmallest = 1e-5;  // smallest relative change printed: 0.001 %

std::string rounded(const std::string& value) {
  Figure figure = figure_in(value).value_or(Figure{});
  return fmt::format("{}{}{}", many(figure.number), figure.unit.empty() ? "" : " ", figure.unit);
}

// True if a printed ratio differs from 1. Increase and decrease may both make steps longer, e.g.
// where tiles just fit, so the elasticity alone does not tell.
bool matters(const Effect& effect) {
  const auto is_seen = [](double ratio) { return std::abs(ratio - 1.0) >= kSmallest / 2.0; };
  return is_seen(effect.ratio) || is_seen(effect.less_ratio);
}

// Change of the step time in percent.
std::string change_text(double ratio) {
  return fmt::format("{:+.3f} %", (ratio - 1.0) * 100.0);
}

// With text columns; rows without visible effect are hidden.
Table effects_table(const Sensitivity& found, const SensitivityOptions& options) {
  Table table = elasticities(found);
  table.columns[0].label = "key";
  table.columns[0].align = Align::kLeft;
  table.columns[0].widest = 48;
  table.columns.insert(
      table.columns.end(),
      {{.label = "value", .widest = 12},
       {.label = options.one_way ? many(options.factor, 6) + "x" : "+1 %"},
       {.label = options.one_way ? std::nullopt : std::optional<std::string>("-1 %")},
       {.label = "mainly through", .align = Align::kLeft, .widest = 25}});
  for (std::size_t i = 0; i < found.effects.size(); ++i) {
    const Effect& effect = found.effects[i];
    table.hidden.push_back(!matters(effect));
    for (std::string text : {rounded(effect.parameter.text),
                             change_text(effect.ratio),
                             change_text(effect.less_ratio),
                             effect.relieves}) {
      table.rows[i].emplace_back(std::move(text));
    }
  }
  return table;
}

}  // namespace

Table elasticities(const Sensitivity& found) {
  Table table{.key = "elasticities",
              .columns = {{"parameter"},
                          {"value"},
                          {"is"},
                          {"changed_to"},
                          {"step_time_ratio"},
                          {"step_time_ratio_less"},
                          {"relieves"}}};
  for (const Effect& effect : found.effects) {
    table.rows.push_back({effect.parameter.key,
                          effect.elasticity,
                          effect.parameter.text,
                          effect.changed_to,
                          effect.ratio,
                          effect.less_ratio,
                          effect.relieves});
  }
  return table;
}

Document document_of(const std::string& design,
                     const Sensitivity& found,
                     const SensitivityOptions& options) {
  Document document{
      .verb = "sensitivity", .name = design, .title = design + ": sensitivity of the step time"};
  document.add(Field{.key = "step_time_s", .value = found.step_time, .label = "step time"});
  report::add_bound(document, found.bound);
  document.add("factor", options.factor);
  Table table = effects_table(found, options);
  const auto others = static_cast<std::uint64_t>(std::ranges::count(table.hidden, true));
  document.add(std::move(table));
  report::List unchanged;
  for (const DesignValue& parameter : found.cannot_change) {
    unchanged.emplace_back(parameter.key);
  }
  document.add("cannot_change", std::move(unchanged));
  std::string rest = fmt::format("{} less than {} %",
                                 count_text(others,
                                            "other parameter changes the step time by",
                                            "other parameters change the step time by"),
                                 many(100.0 * kSmallest));
  if (!found.cannot_change.empty()) {
    rest += fmt::format(
        "; {} are skipped: whole numbers, shares of a fully used budget, values at a limit",
        found.cannot_change.size());
  }
  document.add(report::Paragraph{.text = rest});
  return document;
}

}  // namespace cairn::explore
