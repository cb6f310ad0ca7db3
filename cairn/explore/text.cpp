#include "cairn/explore/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/summary.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::explore {

namespace {

using report::Align;
using report::TextColumn;

// As much of the end of each key as tells it from the others: "core.area", "levels[0].area".
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

// Numbers with four digits; what was chosen, as it is written.
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

std::string designs_text(const Request& request, const Exploration& found) {
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t i : shown(request, found)) {
    const DesignTrial& trial = found.trials[i];
    std::vector<std::string> row;
    for (const Metric* objective : request.objectives) {
      row.push_back(to_text(*objective, trial.finding.figure(*objective)));
    }
    for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
      row.push_back(readable_value(request.designs, a, trial.point));
    }
    row.push_back(trial.finding.bound_by);
    rows.push_back(std::move(row));
  }
  std::vector<TextColumn> columns;
  for (const Metric* objective : request.objectives) {
    columns.push_back({.header = in_words(*objective)});
  }
  for (std::string& name : short_names(request.designs.variables)) {
    const Align align = report::align_of(rows, columns.size());
    columns.push_back({.header = std::move(name), .align = align, .widest = 24});
  }
  columns.push_back({.header = "bound by", .align = Align::kLeft, .widest = 30});
  return report::table_text(columns, rows);
}

// A line for each reason, with how many designs have it.
std::string reasons_text(const Exploration& found) {
  constexpr std::size_t kShown = 10;
  const std::vector<InfeasibleReason> reasons = infeasible_reasons(found);
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i) {
    text += report::labelled(i == 0 ? "infeasible" : "",
                             fmt::format("{:>{}}  {}",
                                         reasons[i].designs,
                                         fmt::formatted_size("{}", reasons[0].designs),
                                         to_text(reasons[i].reason)));
  }
  return text +
         (reasons.size() > kShown
              ? report::labelled("", fmt::format("{} more in --json", reasons.size() - kShown))
              : "");
}

std::string speed_text(const Exploration& found, std::chrono::duration<double> took) {
  const auto speed = per_second(found, took);
  std::string text = speed ? fmt::format(", in {} ({} designs per second)",
                                         quantity_to_text(took.count(), Seconds::kDimension),
                                         many(*speed, 3))
                           : "";
  return text + (found.stored == 0 ? "" : fmt::format(", {} known before", found.stored));
}

}  // namespace

std::string exploration_text(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took) {
  const std::size_t possible = static_cast<std::size_t>(std::ranges::count_if(
      found.trials, [](const DesignTrial& trial) { return !trial.finding.figures.empty(); }));
  const double part = static_cast<double>(possible) / static_cast<double>(found.trials.size());
  std::string text =
      report::labelled("method", enum_name(request.method) + speed_text(found, took));
  text += report::labelled("feasible",
                           fmt::format("{} of {}  {}  {}",
                                       possible,
                                       report::count(found.trials.size(), "design", "designs"),
                                       report::bar(part),
                                       report::percent(part)));
  text += reasons_text(found);
  if (found.pruned > 0) {
    text += report::labelled("pruned", report::count(found.pruned, "design", "designs"));
  }
  if (found.stopped) {
    text += report::labelled("stopped",
                             fmt::format("before the end, {}", not_tried_text(request, found)));
  }
  text += request.objectives.size() > 1
              ? fmt::format("\nPareto front, {}\n",
                            report::count(found.front.size(), "design", "designs"))
              : "\nthe best\n";
  return text + designs_text(request, found);
}

}  // namespace cairn::explore
