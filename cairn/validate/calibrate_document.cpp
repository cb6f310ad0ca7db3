#include "cairn/validate/calibrate_document.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cairn/report/fields.hpp"

namespace cairn::validate {

namespace {

using report::Align;
using report::Document;
using report::Object;
using report::Show;
using report::Table;
using report::Value;

void add_parameters(const Calibrated& calibrated, Document& document) {
  Table table{.columns = {{.label = "parameter", .align = Align::kLeft},
                          {.label = "before"},
                          {.label = "after"},
                          {.label = "spread", .show = Show::kPercent},
                          {.label = "fitted on", .align = Align::kLeft, .widest = 40}}};
  Object parameters;
  for (const auto& [parameter, before, after, spread, determined] : calibrated.parameters) {
    parameters.push_back({parameter.key,
                          Object{{"before", before},
                                 {"after", after},
                                 {"told", determined},
                                 {"spread", determined ? Value(spread) : Value(nullptr)},
                                 {"fitted_on", parameter.kinds}}});
    table.rows.push_back({parameter.key,
                          before == parameter.neutral ? "none" : written(parameter, before),
                          written(parameter, after),
                          determined ? Value(spread) : Value("unfitted"),
                          parameter.kinds});
  }
  document.add("parameters", std::move(parameters));
  document.add(std::move(table));
}

Value change_of(const Change& change) {
  return Object{{"cases", change.after.cases},
                {"mean_abs_error_before", change.before.mean},
                {"mean_abs_error", change.after.mean},
                {"p90_abs_error", change.after.p90}};
}

Table kinds_of(const Calibrated& calibrated) {
  Table table{.key = "kinds",
              .columns = {{.key = "kind"},
                          {.key = "fitted"},
                          {.key = "fitted_on"},
                          {.key = "held_out"},
                          {.label = "mean error", .align = Align::kLeft},
                          {.label = "fitted on"},
                          {.label = "before", .show = Show::kPercent},
                          {.label = "after", .show = Show::kPercent},
                          {.label = "held out"},
                          {.label = "before", .show = Show::kPercent},
                          {.label = "after", .show = Show::kPercent},
                          {.label = "90 %", .show = Show::kPercent}}};
  for (const auto& [kind, fitted, on, held_out] : calibrated.kinds) {
    const auto mean = [](const Errors& errors) {
      return errors.cases > 0 ? Value(errors.mean) : Value();
    };
    table.rows.push_back({kind,
                          fitted,
                          change_of(on),
                          change_of(held_out),
                          kind + (fitted ? "" : " (test only)"),
                          on.after.cases,
                          mean(on.before),
                          mean(on.after),
                          held_out.after.cases,
                          mean(held_out.before),
                          mean(held_out.after),
                          held_out.after.p90});
  }
  return table;
}

// One line if short, else one line per item.
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

Document document_of(const Calibrated& calibrated) {
  Document document{
      .verb = "calibrate",
      .title = fmt::format(
          "{}, calibrated on {}", calibrated.device.name, calibrated.device.calibration->on)};
  add_parameters(calibrated, document);
  document.add(kinds_of(calibrated));
  document.add(report::Field{
      .key = "error",
      .value = calibrated.error,
      .label = "error bar",
      .text = calibrated.error ? report::percent(*calibrated.error) : "unknown",
      .note = calibrated.error ? "mean, of kernels held out" : "no kernels were held out"});
  return document;
}

std::string calibrated_file(const Calibrated& calibrated, Config config) {
  for (const FittedParameter& fitted : calibrated.parameters) {
    if (!fitted.determined) {
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
