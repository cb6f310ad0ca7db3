#include "cairn/explore/search_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/count_text.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/summary.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::explore {

namespace {

using report::Align;
using report::Document;
using report::Field;
using report::List;
using report::Object;
using report::Table;
using report::Value;

Value if_finite(double value) {
  return std::isfinite(value) ? Value(value) : Value(nullptr);
}

// The shortest unique suffix of each key: "core.area", "levels[0].area".
std::vector<std::string> short_names(const std::vector<Variable>& variables) {
  std::vector<std::string> names;
  for (const Variable& variable : variables) {
    std::string_view name = variable.key;
    for (std::size_t dot = variable.key.rfind('.'); dot != std::string::npos;
         dot = dot == 0 ? std::string::npos : variable.key.rfind('.', dot - 1)) {
      name = std::string_view(variable.key).substr(dot + 1);
      const auto alike = std::ranges::count_if(variables, [&](const Variable& other) {
        return other.key == name || other.key.ends_with("." + std::string(name));
      });
      if (alike == 1) {
        break;
      }
      name = variable.key;
    }
    names.emplace_back(name);
  }
  return names;
}

// Numbers with four digits; choices as written.
std::string readable_value(const DesignSpace& designs,
                           std::size_t axis,
                           const search::Point& point) {
  const std::string written = designs.value_text(axis, point);
  const Variable& variable = designs.variables[axis];
  const std::string& unit = variable.unit;
  return variable.choices.empty() && !written.empty()
             ? fmt::format("{}{}{}", many(point[axis]), unit.empty() ? "" : " ", unit)
             : written;
}

// Text table of the front, or of the best designs.
Table best_designs(const Request& request, const Exploration& found) {
  Table table{.follows = true};
  for (const Metric* objective : request.objectives) {
    table.columns.push_back({.label = in_words(*objective)});
  }
  for (std::string& name : short_names(request.designs.variables)) {
    table.columns.push_back({.label = std::move(name), .align = Align::kAuto, .widest = 24});
  }
  table.columns.push_back({.label = "bound by", .align = Align::kLeft, .widest = 30});
  for (const std::size_t i : shown(request, found)) {
    const DesignTrial& trial = found.trials[i];
    std::vector<Value>& row = table.rows.emplace_back();
    for (const Metric* objective : request.objectives) {
      row.emplace_back(to_text(*objective, trial.finding.figure(*objective)));
    }
    for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
      row.emplace_back(readable_value(request.designs, a, trial.point));
    }
    row.emplace_back(trial.finding.bound.text);
  }
  return table;
}

Value design_of(const Request& request, const DesignTrial& trial) {
  Object settings;
  for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
    if (request.designs.space.exists(a, trial.point)) {
      settings.push_back(
          {request.designs.variables[a].key, request.designs.value_text(a, trial.point)});
    }
  }
  Object figures;
  for (const Metric& metric : metrics()) {
    figures.push_back({key_of(metric), if_finite(trial.finding.figure(metric))});
  }
  Object design{{"settings", std::move(settings)}, {"metrics", std::move(figures)}};
  report::add_bound(design, trial.finding.bound);
  return design;
}

void add_effort(const Request& request,
                const Exploration& found,
                std::chrono::duration<double> took,
                Document& document) {
  const auto speed = per_second(found, took);
  document.add(Field{
      .key = "method",
      .value = enum_name(request.method),
      .label = "method",
      .text = fmt::format("{}{}{}",
                          enum_name(request.method),
                          speed ? fmt::format(", in {} ({} designs per second)",
                                              quantity_to_text(took.count(), Seconds::kDimension),
                                              many(*speed, 3))
                                : "",
                          found.stored == 0 ? "" : fmt::format(", {} stored", found.stored))});
  document.add("evaluations", found.trials.size());
  document.add("asked", found.asked);
  document.add("known_before", found.stored);
  document.add("took_s", took.count());
  document.add("evaluations_per_s", speed);
  const std::size_t possible = static_cast<std::size_t>(std::ranges::count_if(
      found.trials, [](const DesignTrial& trial) { return !trial.finding.figures.empty(); }));
  const double part = static_cast<double>(possible) / static_cast<double>(found.trials.size());
  document.add(Field{
      .label = "feasible",
      .text =
          fmt::format("{} of {}", possible, count_text(found.trials.size(), "design", "designs")),
      .note = report::percent(part),
      .bar = part});
}

// One line per reason, with the number of designs.
void add_infeasible(const Exploration& found, Document& document) {
  constexpr std::size_t kShown = 10;
  const std::vector<InfeasibleReason> reasons = infeasible_reasons(found);
  for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i) {
    document.add(Field{.label = i == 0 ? "infeasible" : " ",
                       .text = fmt::format("{:>{}}  {}",
                                           reasons[i].designs,
                                           fmt::formatted_size("{}", reasons[0].designs),
                                           to_text(reasons[i].reason))});
  }
  if (reasons.size() > kShown) {
    document.add(
        Field{.label = " ", .text = fmt::format("{} more in --json", reasons.size() - kShown)});
  }
  Table table{.key = "infeasible", .columns = {{"limit"}, {"detail"}, {"designs"}}};
  std::map<std::string, std::size_t> by_limit;
  for (const auto& [reason, designs] : reasons) {
    table.rows.push_back({reason.limit(), reason.detail, designs});
    by_limit[reason.limit()] += designs;
  }
  document.add(std::move(table));
  Object impossible;
  for (const auto& [limit, designs] : by_limit) {
    impossible.push_back({limit, designs});
  }
  document.add("impossible", std::move(impossible));
}

// Axes in the order of the search file, with the values of choices.
Value axes_of(const Request& request) {
  List axes;
  for (const Variable& variable : request.designs.variables) {
    List values;
    for (const Config& choice : variable.choices) {
      values.emplace_back(to_text(choice));
    }
    axes.push_back(Object{{"name", variable.key},
                          {"unit", report::if_given(variable.unit)},
                          {"values", values.empty() ? Value() : Value(std::move(values))}});
  }
  return axes;
}

void add_detail(const Request& request, const Exploration& found, Document& document) {
  document.add(Field{.key = "axes", .value = axes_of(request), .detail = true});
  Table all{.key = "metrics", .columns = {{"name"}, {"doc"}}, .detail = true};
  for (const Metric& metric : metrics()) {
    all.rows.push_back({key_of(metric), metric.doc});
  }
  document.add(std::move(all));
  document.add(trials_of(request, found));
}

}  // namespace

Table trials_of(const Request& request, const Exploration& found) {
  Table table{.key = "trials", .detail = true};
  for (const Variable& variable : request.designs.variables) {
    table.columns.push_back({.key = variable.key, .group = "settings", .csv = variable.key});
  }
  table.columns.push_back({"feasible"});
  for (const Metric& metric : metrics()) {
    const std::string key = key_of(metric);
    table.columns.push_back({.key = key, .group = "metrics", .csv = key});
  }
  table.columns.insert(table.columns.end(),
                       {{.key = "bound_by", .csv = "bound_by"},
                        {.key = "bound_by_kind"},
                        {.key = "bound_by_resource"},
                        {.key = "limit", .csv = "limit"},
                        {.key = "detail", .csv = "detail"},
                        {.key = "missed_by", .csv = "missed_by"},
                        {.csv = "front"}});
  std::vector<bool> in_front(found.trials.size(), false);
  for (const std::size_t member : found.front) {
    in_front[member] = true;
  }
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    const auto& [point, finding] = found.trials[i];
    const bool possible = !finding.figures.empty();
    std::vector<Value>& row = table.rows.emplace_back();
    row.reserve(table.columns.size());
    for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
      row.push_back(request.designs.space.exists(a, point)
                        ? Value(request.designs.value_text(a, point))
                        : Value());
    }
    row.emplace_back(possible && outcome_of(finding, request).is_feasible());
    for (std::size_t m = 0; m < metrics().size(); ++m) {
      row.push_back(possible ? if_finite(finding.figures[m]) : Value());
    }
    row.push_back(possible ? Value(finding.bound.text) : Value());
    row.push_back(possible ? Value(enum_name(finding.bound.kind)) : Value());
    row.push_back(finding.bound.resource.empty() ? Value() : Value(finding.bound.resource));
    row.push_back(possible ? Value() : Value(finding.reason.limit()));
    row.push_back(possible ? Value() : Value(finding.reason.detail));
    row.push_back(possible ? Value() : if_finite(finding.reason.constraint_violation));
    row.emplace_back(in_front[i]);
  }
  return table;
}

Document document_of(const std::string& name,
                     const Request& request,
                     const Exploration& found,
                     std::chrono::duration<double> took,
                     bool detail) {
  std::string sought;
  List objectives;
  for (const Metric* objective : request.objectives) {
    sought += (sought.empty() ? "" : ", ") + in_words(*objective);
    objectives.emplace_back(key_of(*objective));
  }
  Document document{
      .verb = "search", .name = name, .title = fmt::format("{}: minimize {}", name, sought)};
  document.add("kind", "search");
  document.add("objectives", std::move(objectives));
  add_effort(request, found, took, document);
  add_infeasible(found, document);
  document.add(Field{.key = "pruned",
                     .value = found.pruned,
                     .label = found.pruned > 0 ? "pruned" : "",
                     .text = count_text(found.pruned, "design", "designs")});
  document.add(Field{.key = "stopped",
                     .value = found.stopped,
                     .label = found.stopped ? "stopped" : "",
                     .text = "before the end, " + not_tried_text(request, found)});
  document.add("not_tried", not_tried(request, found));
  document.add("best", design_of(request, found.trials[shown(request, found).front()]));
  List pareto;
  for (const std::size_t member : found.front) {
    pareto.push_back(design_of(request, found.trials[member]));
  }
  document.add("pareto", std::move(pareto));
  document.add(report::Paragraph{
      .text =
          request.objectives.size() > 1
              ? fmt::format("Pareto front, {}", count_text(found.front.size(), "design", "designs"))
              : "best designs"});
  document.add(best_designs(request, found));
  if (detail) {
    add_detail(request, found, document);
  }
  return document;
}

}  // namespace cairn::explore
