#include "cairn/validate/calibrate_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::validate {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::percent;
using report::TextColumn;

std::string parameters_text(const Calibrated& calibrated) {
  const std::vector<TextColumn> columns{
      {.header = "parameter", .align = Align::kLeft},
      {.header = "before"},
      {.header = "after"},
      {.header = "spread"},
      {.header = "fitted on", .align = Align::kLeft, .widest = 40}};
  std::vector<std::vector<std::string>> rows;
  for (const FittedParameter& fitted : calibrated.parameters) {
    rows.push_back({fitted.parameter.key,
                    fitted.before == fitted.parameter.neutral
                        ? "none"
                        : written(fitted.parameter, fitted.before),
                    written(fitted.parameter, fitted.after),
                    fitted.told ? percent(fitted.spread) : "not told",
                    fmt::format("{}", fmt::join(fitted.parameter.kinds, ", "))});
  }
  return table_text(columns, rows);
}

std::string kinds_text(const Calibrated& calibrated) {
  const std::vector<TextColumn> columns{{.header = "mean error", .align = Align::kLeft},
                                        {.header = "fitted on"},
                                        {.header = "before"},
                                        {.header = "after"},
                                        {.header = "held out"},
                                        {.header = "before"},
                                        {.header = "after"},
                                        {.header = "90 %"}};
  std::vector<std::vector<std::string>> rows;
  for (const FittedKind& kind : calibrated.kinds) {
    const auto cells = [](const Change& change) {
      const bool any = change.after.cases > 0;
      return std::array<std::string, 3>{fmt::format("{}", change.after.cases),
                                        change.before.cases > 0 ? percent(change.before.mean) : "",
                                        any ? percent(change.after.mean) : ""};
    };
    const auto on = cells(kind.on);
    const auto held = cells(kind.held_out);
    rows.push_back({kind.kind + (kind.fitted ? "" : " (test only)"),
                    on[0],
                    on[1],
                    on[2],
                    held[0],
                    held[1],
                    held[2],
                    percent(kind.held_out.after.p90)});
  }
  return table_text(columns, rows);
}

Json change_json(const Change& change) {
  return {{"cases", change.after.cases},
          {"mean_abs_error_before", change.before.mean},
          {"mean_abs_error", change.after.mean},
          {"p90_abs_error", change.after.p90}};
}

// One key of a map a line, unless it is short.
std::string lines_of(const std::string& key, const Config& value) {
  constexpr std::size_t kShort = 120;
  const std::string one = fmt::format("{}: {}\n", key, to_text(value));
  if (one.size() <= kShort || value.kind == Config::Kind::kScalar) {
    return one;
  }
  std::string text = key + ":\n";
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    text += value.kind == Config::Kind::kList
                ? fmt::format("  - {}\n", to_text(value.items[i]))
                : fmt::format("  {}: {}\n", value.keys[i], to_text(value.items[i]));
  }
  return text;
}

}  // namespace

std::string calibrated_text(const Calibrated& calibrated) {
  const std::string title = fmt::format(
      "{}, calibrated on {}", calibrated.device.name, calibrated.device.calibration->on);
  const std::string error_bar =
      calibrated.error ? report::noted(percent(*calibrated.error), "mean, of kernels held out")
                       : report::noted("unknown", "no kernels were held out");
  return report::wrap_text(title, 0) + "\n\n" + parameters_text(calibrated) + "\n" +
         kinds_text(calibrated) + "\n" + report::labelled("error bar", error_bar);
}

std::string calibrated_json(const Calibrated& calibrated) {
  Json json;
  Json& parameters = json["parameters"] = Json::object();
  for (const FittedParameter& fitted : calibrated.parameters) {
    parameters[fitted.parameter.key] = {{"before", fitted.before},
                                        {"after", fitted.after},
                                        {"told", fitted.told},
                                        {"spread", fitted.told ? Json(fitted.spread) : Json()},
                                        {"fitted_on", fitted.parameter.kinds}};
  }
  Json& kinds = json["kinds"] = Json::array();
  for (const FittedKind& kind : calibrated.kinds) {
    kinds.push_back({{"kind", kind.kind},
                     {"fitted", kind.fitted},
                     {"fitted_on", change_json(kind.on)},
                     {"held_out", change_json(kind.held_out)}});
  }
  json["error"] = calibrated.error ? Json(*calibrated.error) : Json();
  return report::json_text(std::move(json));
}

std::string calibrated_file(const Calibrated& calibrated, Config config) {
  for (const FittedParameter& fitted : calibrated.parameters) {
    if (!fitted.told) {
      continue;
    }
    set_value(config,
              fmt::format("{}={}", fitted.parameter.key, written(fitted.parameter, fitted.after)));
  }
  std::string text;
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (config.keys[i] != "calibration") {
      text += lines_of(config.keys[i], config.items[i]);
    }
  }
  const chip::Calibration& calibration = *calibrated.device.calibration;
  text += fmt::format("calibration:\n  on: {}\n",
                      to_text(Config{.kind = Config::Kind::kScalar,
                                     .where = {},
                                     .text = calibration.on,
                                     .keys = {},
                                     .items = {}}));
  if (calibration.error) {
    text += fmt::format("  error: {:.4f}\n", *calibration.error);
  }
  text += "  kinds:\n";
  for (const chip::CalibratedKind& kind : calibration.kinds) {
    text += fmt::format(
        "    - {{kind: {}, cases: {}, error: {:.4f}, held_out: {}, held_out_error: {:.4f}}}\n",
        kind.kind,
        kind.cases,
        kind.error,
        kind.held_out,
        kind.held_out_error);
  }
  text += "  parameters:\n";
  for (const chip::CalibratedParameter& parameter : calibration.parameters) {
    text += fmt::format("    - {{key: \"{}\", value: {}, spread: {:.4f}, fitted: \"{}\"}}\n",
                        parameter.key,
                        parameter.value,
                        parameter.spread,
                        parameter.fitted);
  }
  return text;
}

}  // namespace cairn::validate
