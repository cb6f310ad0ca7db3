#include "cairn/explore/json.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/explore/summary.hpp"
#include "cairn/report/json_text.hpp"

namespace cairn::explore {

namespace {

using Json = nlohmann::ordered_json;

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
      entry["limit"] = trial.finding.reason.limit();
      entry["detail"] = trial.finding.reason.detail;
      const double missed_by = trial.finding.reason.missed_by;
      entry["missed_by"] = std::isfinite(missed_by) ? Json(missed_by) : Json(nullptr);
    }
    trials.push_back(std::move(entry));
  }
  return trials;
}

}  // namespace

std::string exploration_json(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail) {
  Json json{{"kind", "search"},
            {"method", enum_name(request.method)},
            {"evaluations", found.trials.size()},
            {"asked", found.asked},
            {"pruned", found.pruned},
            {"known_before", found.stored},
            {"took_s", took.count()},
            {"evaluations_per_s", nullptr},
            {"stopped", found.stopped},
            {"not_tried", not_tried(request, found)}};
  if (const auto speed = per_second(found, took)) {
    json["evaluations_per_s"] = *speed;
  }
  json["best"] = design_json(request, found.trials[shown(request, found).front()]);
  json["pareto"] = Json::array();
  for (const std::size_t member : found.front) {
    json["pareto"].push_back(design_json(request, found.trials[member]));
  }
  json["infeasible"] = Json::array();
  std::map<std::string, std::size_t> by_limit;
  for (const auto& [reason, designs] : infeasible_reasons(found)) {
    json["infeasible"].push_back(
        {{"limit", reason.limit()}, {"detail", reason.detail}, {"designs", designs}});
    by_limit[reason.limit()] += designs;
  }
  json["impossible"] = by_limit;
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

}  // namespace cairn::explore
