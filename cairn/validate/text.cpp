#include "cairn/validate/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cairn/base/quantity_text.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"
#include "cairn/validate/fitting.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::percent;
using report::TextColumn;

constexpr std::size_t kWorst = 10;
constexpr std::size_t kWidestName = 46;

std::string signed_percent(double part) {
  return fmt::format("{:+.1f} %", 100.0 * part);
}

// The bar is full for `most`.
std::vector<std::string> cells_of(const std::string& group, const Errors& errors, double most) {
  return {group,
          fmt::format("{}", errors.cases),
          percent(errors.mean),
          report::bar(most > 0.0 ? errors.mean / most : 0.0),
          percent(errors.median),
          percent(errors.p90),
          percent(errors.most),
          signed_percent(errors.bias),
          errors.correlation ? fmt::format("{:.3f}", *errors.correlation) : "-"};
}

std::string groups_text(const Comparison& comparison) {
  const std::vector<TextColumn> columns{{.header = "group", .align = Align::kLeft},
                                        {.header = "times"},
                                        {.header = "mean"},
                                        {.header = "", .align = Align::kLeft},
                                        {.header = "median"},
                                        {.header = "90 %"},
                                        {.header = "worst"},
                                        {.header = "bias"},
                                        {.header = "correlation"}};
  std::vector<std::vector<std::string>> rows;
  const std::vector<GroupErrors> groups = errors_by_group(comparison.cases);
  double most = 0.0;
  for (const GroupErrors& group : groups) {
    most = std::max(most, group.errors.mean);
  }
  for (const GroupErrors& group : groups) {
    rows.push_back(cells_of(group.group, group.errors, most));
  }
  if (groups.size() != 1) {
    rows.push_back(cells_of("all", errors_of(comparison.cases), most));
  }
  return table_text(columns, rows);
}

// Cut in its middle: names differ at both ends.
std::string shortened(const std::string& name) {
  constexpr std::string_view kMore = "...";
  if (name.size() <= kWidestName) {
    return name;
  }
  const std::size_t half = (kWidestName - kMore.size()) / 2;
  return name.substr(0, half) + std::string(kMore) + name.substr(name.size() - half);
}

std::string worst_text(const Comparison& comparison) {
  const std::vector<TextColumn> columns{
      {.header = "the worst", .align = Align::kLeft, .widest = kWidestName},
      {.header = "line"},
      {.header = "measured"},
      {.header = "predicted"},
      {.header = "error"},
      {.header = "bound by", .align = Align::kLeft, .widest = 16}};
  std::vector<std::vector<std::string>> rows;
  for (const Case& each : worst_of(comparison.cases, kWorst)) {
    rows.push_back({shortened(each.name),
                    fmt::format("{}", each.line),
                    to_text(each.measured),
                    to_text(each.predicted),
                    signed_percent(each.error()),
                    each.bound_by});
  }
  return table_text(columns, rows);
}

// Rows that are not predicted, by reason, and the first of each.
std::string left_text(const Comparison& comparison) {
  std::vector<std::pair<Left, std::size_t>> reasons;
  for (const Left& each : comparison.left) {
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
  std::string text;
  for (const auto& [first, count] : reasons) {
    text += report::wrap_text(fmt::format("{} left out, the first: {} (line {}): {}",
                                          report::count(count, "row", "rows"),
                                          first.name,
                                          first.line,
                                          first.why),
                              2);
    text += '\n';
  }
  return text.empty() ? text : "\n" + text;
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

Json errors_json(const Errors& errors) {
  return {{"cases", errors.cases},
          {"mean_abs_error", errors.mean},
          {"median_abs_error", errors.median},
          {"p90_abs_error", errors.p90},
          {"max_abs_error", errors.most},
          {"bias", errors.bias},
          {"correlation", errors.correlation ? Json(*errors.correlation) : Json()}};
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text = report::wrap_text(
      fmt::format("{} of {} on {}", comparison.kind, comparison.file, comparison.device), 0);
  text += "\n\n";
  if (comparison.subject == "device") {
    text += report::wrap_text(calibration_text(comparison), 0);
    text += '\n';
  }
  text += "errors are (predicted - measured) / measured\n\n";
  text += groups_text(comparison) + "\n" + worst_text(comparison);
  return text + left_text(comparison);
}

std::string comparison_json(const Comparison& comparison) {
  Json json{{"kind", comparison.kind},
            {"file", comparison.file},
            {comparison.subject, comparison.device}};
  if (comparison.subject == "device") {
    json["calibrated_on"] = comparison.calibrated_on;
    json["changed_since"] = comparison.changed_since;
  }
  json.update(errors_json(errors_of(comparison.cases)));
  Json& groups = json["groups"] = Json::array();
  for (const GroupErrors& group : errors_by_group(comparison.cases)) {
    Json entry{{"group", group.group}};
    entry.update(errors_json(group.errors));
    groups.push_back(std::move(entry));
  }
  // Of kinds that `calibrate` fits: whether it holds the row out; of its tests, always. What of
  // other data was fitted on, groups say.
  const auto kind = std::ranges::find(kinds(), comparison.kind, &Kind::name);
  const bool fitted = kind != kinds().end() && kind->fitted;
  const std::vector<bool> held = held_out(comparison);
  Json& cases = json["cases"] = Json::array();
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Case& each = comparison.cases[i];
    cases.push_back(
        {{"name", each.name},
         {"group", each.group},
         {"line", each.line},
         {"measured_s", each.measured.si()},
         {"predicted_s", each.predicted.si()},
         {"error", each.error()},
         {"held_out", fitted ? held[i] : each.group.find("(fitted)") == std::string::npos},
         {"bound_by", each.bound_by}});
  }
  Json& left = json["left_out"] = Json::array();
  for (const Left& each : comparison.left) {
    left.push_back({{"name", each.name}, {"line", each.line}, {"why", each.why}});
  }
  return report::json_text(std::move(json));
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
  for (const Case& each : comparison.cases) {
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
