#include "cairn/explore/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::explore {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::Column;

constexpr std::size_t kShown = 10;

std::map<std::string, std::size_t> reasons(const Exploration& found) {
  std::map<std::string, std::size_t> count;
  for (const DesignTrial& trial : found.trials) {
    if (trial.finding.figures.empty()) {
      ++count[trial.finding.reason.limit];
    }
  }
  return count;
}

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
  std::vector<Column> columns;
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

Json settings_json(const Request& request, const DesignTrial& trial) {
  Json settings = Json::object();
  for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
    if (request.designs.space.is_there(a, trial.point)) {
      settings[request.designs.variables[a].key] = request.designs.value_text(a, trial.point);
    }
  }
  return settings;
}

Json figures_json(const DesignTrial& trial) {
  Json figures = Json::object();
  for (const Metric& metric : metrics()) {
    const double value = trial.finding.figure(metric);
    figures[key_of(metric)] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  return figures;
}

Json design_json(const Request& request, const DesignTrial& trial) {
  return {{"settings", settings_json(request, trial)},
          {"metrics", figures_json(trial)},
          {"bound_by", trial.finding.bound_by}};
}

// What varies, in the order of the search's file; of an axis of single values, these.
Json axes_json(const Request& request) {
  Json axes = Json::array();
  for (const Variable& variable : request.designs.variables) {
    Json axis{{"name", variable.key}};
    if (!variable.unit.empty()) {
      axis["unit"] = variable.unit;
    }
    for (const Config& choice : variable.choices) {
      axis["values"].push_back(to_text(choice));
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

Json metrics_json() {
  Json all = Json::array();
  for (const Metric& metric : metrics()) {
    all.push_back({{"name", key_of(metric)}, {"doc", metric.doc}});
  }
  return all;
}

// In the order in which they were asked for.
Json trials_json(const Request& request, const Exploration& found) {
  Json trials = Json::array();
  for (const DesignTrial& trial : found.trials) {
    const bool possible = !trial.finding.figures.empty();
    Json entry{{"settings", settings_json(request, trial)},
               {"feasible", possible && outcome_of(trial.finding, request).keeps_constraints()}};
    if (possible) {
      entry["metrics"] = figures_json(trial);
      entry["bound_by"] = trial.finding.bound_by;
    } else {
      entry["metrics"] = Json::object();
      entry["limit"] = trial.finding.reason.limit;
      entry["detail"] = trial.finding.reason.detail;
    }
    trials.push_back(std::move(entry));
  }
  return trials;
}

// Of those that were not known before; nothing where nobody took the time.
std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took) {
  return took.count() > 0.0
             ? std::optional(static_cast<double>(found.trials.size() - found.stored) / took.count())
             : std::nullopt;
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

std::vector<std::size_t> shown(const Request& request, const Exploration& found) {
  if (request.objectives.size() > 1) {
    return found.front;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    if (outcome_of(found.trials[i].finding, request).keeps_constraints()) {
      order.push_back(i);
    }
  }
  const auto by = [&](std::size_t i) {
    return found.trials[i].finding.figure(*request.objectives[0]);
  };
  std::ranges::stable_sort(order, {}, by);
  order.resize(std::min(order.size(), kShown));
  return order;
}

std::string exploration_text(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took) {
  const std::size_t possible = static_cast<std::size_t>(std::ranges::count_if(
      found.trials, [](const DesignTrial& trial) { return !trial.finding.figures.empty(); }));
  const double part = static_cast<double>(possible) / static_cast<double>(found.trials.size());
  std::string text =
      report::labelled("method", enum_name(request.method.way) + speed_text(found, took));
  text += report::labelled("possible",
                           fmt::format("{} of {}  {}  {}",
                                       possible,
                                       report::count(found.trials.size(), "design", "designs"),
                                       report::bar(part),
                                       report::percent(part)));
  std::string why;
  for (const auto& [limit, count] : reasons(found)) {
    why += why.empty() ? "" : ", ";
    why += limit == Finding::kNotRead ? fmt::format("{} cannot be read", count)
                                      : fmt::format("{} for lack of {}", count, limit);
  }
  text += why.empty() ? "" : report::labelled("impossible", why);
  if (found.pruned > 0) {
    text += report::labelled("passed over",
                             fmt::format("{} more, which cannot be the best", found.pruned));
  }
  text += found.stopped ? report::labelled("stopped", "before the end") : "";
  text += request.objectives.size() > 1
              ? fmt::format("\n{} that none beats in everything\n", found.front.size())
              : "\nthe best\n";
  return text + designs_text(request, found);
}

std::string exploration_json(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail) {
  Json json{{"kind", "search"},
            {"method", enum_name(request.method.way)},
            {"evaluations", found.trials.size()},
            {"asked", found.asked},
            {"pruned", found.pruned},
            {"known_before", found.stored},
            {"took_s", took.count()},
            {"evaluations_per_s", nullptr},
            {"stopped", found.stopped}};
  if (const auto speed = per_second(found, took)) {
    json["evaluations_per_s"] = *speed;
  }
  json["best"] = design_json(request, found.trials[shown(request, found).front()]);
  json["pareto"] = Json::array();
  for (const std::size_t member : found.front) {
    json["pareto"].push_back(design_json(request, found.trials[member]));
  }
  json["impossible"] = Json::object();
  for (const auto& [limit, count] : reasons(found)) {
    json["impossible"][limit] = count;
  }
  for (const Metric* objective : request.objectives) {
    json["objectives"].push_back(key_of(*objective));
  }
  if (detail) {
    json["axes"] = axes_json(request);
    json["metrics"] = metrics_json();
    json["trials"] = trials_json(request, found);
  }
  return report::json_text(std::move(json));
}

namespace {

// Whether there is no other design than these.
bool is_all(const Request& request, const Exploration& found) {
  return request.method.way == Way::kExhaustive && !found.stopped;
}

std::string none_of(const Exploration& found) {
  return "none of " + report::count(found.trials.size(), "design", "designs");
}

// The first of what is asked for that designs do not say, though they can be, where it is written.
Infeasible unknown_of(const Finding& finding, const Request& request, const Exploration& found) {
  const std::string problem = none_of(found) + " says what it is (the device does not)";
  const auto is_unknown = [&](const Metric* metric) { return std::isinf(finding.figure(*metric)); };
  for (std::size_t i = 0; i < request.objectives.size(); ++i) {
    if (is_unknown(request.objectives[i])) {
      const Config* written = request.written.find("objectives");
      return {written == nullptr ? "objectives" : to_text(written->items[i].where),
              fmt::format("{}: {}", request.objectives[i]->name, problem)};
    }
  }
  const auto limit = std::ranges::find_if(request.limits, is_unknown, &Limit::metric);
  return {limit == request.limits.end() ? "limits" : to_text(limit->where), problem};
}

// "12.5 % more than 1 GB"; what is many times as much, in times.
std::string missed_text(const Limit& limit, double missed_by) {
  constexpr double kInTimes = 9.0;
  const std::string most = to_text(*limit.metric, limit.most);
  return missed_by < kInTimes
             ? fmt::format("{:.1f} % more than {}", 100.0 * missed_by, most)
             : fmt::format("{} times the limit of {}", many(1.0 + missed_by), most);
}

// If no design can be read.
Infeasible why_none_is_read(const Request& request, const Exploration& found) {
  const Where& where = request.written.find("vary")->where;
  const std::string& first = found.trials.front().finding.reason.detail;
  const std::string problem =
      fmt::format("{} that were tried can be read; the first: {}", none_of(found), first);
  // Others may be readable, unless these are all, or what is wrong is the same everywhere.
  const bool is_mistake =
      is_all(request, found) || std::ranges::all_of(found.trials, [&](const DesignTrial& trial) {
        return trial.finding.reason.detail == first;
      });
  if (is_mistake) {
    throw ConfigError(where, problem);
  }
  return {to_text(where), problem};
}

}  // namespace

Infeasible why_nothing(const Request& request, const Exploration& found) {
  if (found.trials.empty()) {
    return {"time", "stopped before the first design was evaluated"};
  }
  const DesignTrial* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const DesignTrial& trial : found.trials) {
    const double missed = outcome_of(trial.finding, request).missed_by;
    if (missed < least) {
      nearest = &trial;
      least = missed;
    }
  }
  if (nearest != nullptr) {
    const auto worst = std::ranges::max_element(request.limits, {}, [&](const Limit& limit) {
      return nearest->finding.figure(*limit.metric) / limit.most;
    });
    return {to_text(worst->where),
            fmt::format("{} keeps all limits; the nearest has {}, {}",
                        is_all(request, found) ? "no design" : none_of(found) + " that were tried",
                        to_text(*worst->metric, nearest->finding.figure(*worst->metric)),
                        missed_text(*worst, least))};
  }
  const auto possible = std::ranges::find_if(
      found.trials, [](const DesignTrial& trial) { return !trial.finding.figures.empty(); });
  if (possible != found.trials.end()) {
    return unknown_of(possible->finding, request, found);
  }
  if (std::ranges::all_of(found.trials, [](const DesignTrial& trial) {
        return trial.finding.reason.limit == Finding::kNotRead;
      })) {
    return why_none_is_read(request, found);
  }
  const Finding& first = found.trials.front().finding;
  return {first.reason.limit,
          fmt::format("{} can be; the first: {}", none_of(found), first.reason.detail)};
}

}  // namespace cairn::explore
