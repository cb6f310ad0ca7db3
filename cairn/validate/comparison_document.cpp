#include "cairn/validate/comparison_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cairn/base/count_text.hpp"
#include "cairn/report/document.hpp"
#include "cairn/validate/held_out.hpp"

namespace cairn::validate {

namespace {

using report::Align;
using report::Document;
using report::Paragraph;
using report::Show;
using report::Table;
using report::Value;

constexpr std::size_t kWidestName = 46;

// Cut in the middle, since names differ at both ends.
std::string shortened(const std::string& name) {
  constexpr std::string_view kMore = "...";
  if (name.size() <= kWidestName) {
    return name;
  }
  const std::size_t half = (kWidestName - kMore.size()) / 2;
  return name.substr(0, half) + std::string(kMore) + name.substr(name.size() - half);
}

std::string calibration_text(const Comparison& comparison) {
  if (comparison.calibrated_on.empty()) {
    return "the device is not calibrated (cairn calibrate)";
  }
  return "the device is calibrated on " + comparison.calibrated_on +
         (comparison.changed_since.empty()
              ? ""
              : fmt::format("; changed since: {}", fmt::join(comparison.changed_since, ", ")));
}

// Columns with keys are in the JSON, columns with labels in the table.
std::vector<report::Column> error_columns() {
  return {{.key = "cases", .label = "times"},
          {.key = "mean_abs_error", .label = "mean", .show = Show::kPercent},
          {.label = "", .show = Show::kBar},
          {.key = "median_abs_error", .label = "median", .show = Show::kPercent},
          {.key = "p90_abs_error", .label = "90 %", .show = Show::kPercent},
          {.key = "max_abs_error", .label = "worst", .show = Show::kPercent},
          {.key = "bias", .label = "bias", .show = Show::kSignedPercent},
          {.key = "correlation"},
          {.label = "correlation"}};
}

// The bar is full for a mean error of `most`.
std::vector<Value> error_values(const Errors& errors, double most) {
  return {errors.cases,
          errors.mean,
          most > 0.0 ? errors.mean / most : 0.0,
          errors.median,
          errors.p90,
          errors.most,
          errors.bias,
          errors.correlation,
          errors.correlation ? fmt::format("{:.3f}", *errors.correlation) : "-"};
}

std::vector<Value> error_row(const std::string& name, const Errors& errors, double most) {
  std::vector<Value> cells = error_values(errors, most);
  cells.insert(cells.begin(), name);
  return cells;
}

double largest_mean(const std::vector<GroupErrors>& groups) {
  double most = 0.0;
  for (const GroupErrors& group : groups) {
    most = std::max(most, group.errors.mean);
  }
  return most;
}

// A row per group; `key`: heading of their names.
Table errors_table(const char* tables_key,
                   const char* key,
                   const std::vector<GroupErrors>& groups) {
  Table table{.key = tables_key, .columns = error_columns()};
  table.columns.insert(table.columns.begin(), {.key = key, .label = key, .align = Align::kLeft});
  const double most = largest_mean(groups);
  for (const GroupErrors& group : groups) {
    table.rows.push_back(error_row(group.group, group.errors, most));
  }
  return table;
}

void add_errors(const Comparison& comparison, Document& document) {
  const Errors all = errors_of(comparison.cases);
  const std::vector<report::Column> columns = error_columns();
  const std::vector<Value> values = error_values(all, 0.0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].key.empty()) {
      document.add(columns[c].key, values[c]);
    }
  }
  const std::vector<GroupErrors> groups = errors_by_group(comparison.cases);
  Table table = errors_table("groups", "group", groups);
  if (groups.size() != 1) {
    table.total = error_row("all", all, largest_mean(groups));
  }
  document.add(std::move(table));
  document.add(errors_table("by_time", "time", errors_by_decade(comparison.cases)));
}

Table worst_cases(const Comparison& comparison) {
  constexpr std::size_t kWorst = 10;
  Table table{.columns = {{.label = "worst cases", .align = Align::kLeft, .widest = kWidestName},
                          {.label = "line"},
                          {.label = "measured"},
                          {.label = "predicted"},
                          {.label = "error", .show = Show::kSignedPercent},
                          {.label = "bound by", .align = Align::kLeft, .widest = 16}}};
  for (const ComparedRow& each : worst_of(comparison.cases, kWorst)) {
    table.rows.push_back({shortened(each.name),
                          each.line,
                          each.measured,
                          each.predicted,
                          each.error(),
                          each.bound_by});
  }
  return table;
}

Table cases_of(const Comparison& comparison) {
  const std::vector<bool> held = held_out(comparison);
  Table table{.key = "cases",
              .columns = {{"name"},
                          {"group"},
                          {"line"},
                          {"measured_s"},
                          {"predicted_s"},
                          {"error"},
                          {"held_out"},
                          {"bound_by"}}};
  for (std::size_t i = 0; i < held.size(); ++i) {
    const ComparedRow& each = comparison.cases[i];
    table.rows.push_back({each.name,
                          each.group,
                          each.line,
                          each.measured,
                          each.predicted,
                          each.error(),
                          held[i],
                          each.bound_by});
  }
  return table;
}

// Rows that are not predicted: all in the JSON, the first of each reason in the text.
void add_skipped(const Comparison& comparison, Document& document) {
  Table table{.key = "left_out", .columns = {{"name"}, {"line"}, {"why"}}};
  std::vector<std::pair<SkippedRow, std::size_t>> reasons;
  for (const SkippedRow& each : comparison.skipped) {
    table.rows.push_back({each.name, each.line, each.why});
    const auto same =
        std::ranges::find(reasons, each.why, [](const auto& reason) -> const std::string& {
          return reason.first.why;
        });
    if (same == reasons.end()) {
      reasons.emplace_back(each, 1);
    } else {
      ++same->second;
    }
  }
  document.add(std::move(table));
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const auto& [first, count] = reasons[i];
    document.add(Paragraph{.text = fmt::format("{} not predicted, the first: {} (line {}): {}",
                                               count_text(count, "row", "rows"),
                                               first.name,
                                               first.line,
                                               first.why),
                           .indent = 2,
                           .follows = i > 0});
  }
}

}  // namespace

Document document_of(const Comparison& comparison) {
  Document document{
      .verb = "validate",
      .name = comparison.file,
      .title = fmt::format("{} of {} on {}", comparison.kind, comparison.file, comparison.device)};
  const bool of_device = comparison.subject == "device";
  document.add("kind", comparison.kind);
  document.add("file", comparison.file);
  document.add(comparison.subject, comparison.device);
  if (of_device) {
    document.add("calibrated_on", comparison.calibrated_on);
    document.add("changed_since", comparison.changed_since);
    document.add(Paragraph{.text = calibration_text(comparison)});
  }
  document.add(
      Paragraph{.text = "errors are (predicted - measured) / measured", .follows = of_device});
  add_errors(comparison, document);
  document.add(worst_cases(comparison));
  document.add(cases_of(comparison));
  add_skipped(comparison, document);
  return document;
}

report::Chart comparison_chart(const Comparison& comparison) {
  report::Chart chart{
      .name = "validate-" + comparison.kind,
      .title =
          fmt::format("{}: predicted on {} against measured", comparison.kind, comparison.device),
      .kind = report::ChartKind::kPoints,
      .x = {.title = "measured (us)", .log = true},
      .y = {.title = "predicted (us)", .log = true},
      .band = 0.1};
  constexpr double kMicroseconds = 1e6;
  std::map<std::string, std::size_t> series;
  for (const ComparedRow& each : comparison.cases) {
    const auto [found, is_new] = series.emplace(each.group, chart.series.size());
    if (is_new) {
      chart.series.push_back({.name = each.group});
    }
    chart.series[found->second].x.push_back(each.measured.si() * kMicroseconds);
    chart.series[found->second].y.push_back(each.predicted.si() * kMicroseconds);
  }
  return chart;
}

}  // namespace cairn::validate
