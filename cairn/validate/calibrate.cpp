#include "cairn/validate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/validate/fitting.hpp"
#include "cairn/validate/held_out.hpp"

namespace cairn::validate {

namespace {

std::vector<ComparedRow> chosen(const Comparison& comparison,
                                const std::vector<bool>& held,
                                bool wanted) {
  std::vector<ComparedRow> cases;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] == wanted) {
      cases.push_back(comparison.cases[i]);
    }
  }
  return cases;
}

FittedKind judge(const MeasuredTable& table,
                 const chip::Device& before,
                 const chip::Device& after) {
  Subject then(before);
  Subject now(after);
  const Comparison first = compare(table, then);
  const Comparison second = compare(table, now);
  const Kind& kind = kind_of(table);
  const std::vector<bool> held =
      kind.fitted ? held_out(second) : std::vector<bool>(second.cases.size(), true);
  // Without a host, the uncalibrated device skips host copies.
  const bool both = first.cases.size() == second.cases.size();
  const auto change = [&](bool wanted) {
    return Change{both ? errors_of(chosen(first, held, wanted)) : Errors{},
                  errors_of(chosen(second, held, wanted))};
  };
  return {.kind = std::string(kind.name),
          .fitted = kind.fitted,
          .on = change(false),
          .held_out = change(true)};
}

}  // namespace

Calibrated calibrate(std::span<const MeasuredTable* const> tables,
                     const chip::Device& device,
                     const std::string& on,
                     const std::function<void()>& tick) {
  Calibrated result{.device = device, .parameters = fitted_parameters(tables, device, tick)};
  if (result.parameters.empty()) {
    throw ConfigError({.file = tables.front()->file(), .line = 0, .key = {}},
                      "has a kind that calibration does not fit (add e.g. gemm.csv)");
  }
  for (const FittedParameter& fitted : result.parameters) {
    fitted.parameter.set(result.device, fitted.after);
  }
  chip::Calibration calibration{.on = on};
  double cases = 0.0;
  double errors = 0.0;
  for (const MeasuredTable* table : tables) {
    const FittedKind kind = judge(*table, device, result.device);
    if (kind.fitted) {
      const auto held = static_cast<double>(kind.held_out.after.cases);
      if (kind.kind != "hostcopy") {
        cases += held;
        errors += kind.held_out.after.mean * held;
      }
      calibration.kinds.push_back({.kind = kind.kind,
                                   .cases = static_cast<double>(kind.on.after.cases),
                                   .error = kind.on.after.mean,
                                   .held_out = held,
                                   .held_out_error = kind.held_out.after.mean});
    }
    result.kinds.push_back(kind);
  }
  result.error = cases > 0.0 ? std::optional(errors / cases) : std::nullopt;
  calibration.error = result.error;
  for (const FittedParameter& fitted : result.parameters) {
    if (!fitted.determined) {
      continue;
    }
    calibration.parameters.push_back(
        {.key = fitted.parameter.key,
         .value = written(fitted.parameter, fitted.after),
         .spread = fitted.spread,
         .fitted = fmt::format("{}", fmt::join(fitted.parameter.kinds, ", "))});
  }
  result.device.calibration = std::move(calibration);
  return result;
}

}  // namespace cairn::validate
