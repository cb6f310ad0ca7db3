#include "cairn/validate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/validate/fit.hpp"

namespace cairn::validate {

namespace {

// A spread from which on measurements say nothing of a parameter.
constexpr double kUntold = 5.0;

chip::Device device_at(const chip::Device& base,
                       const std::vector<Parameter>& parameters,
                       const std::vector<double>& logs) {
  chip::Device device = base;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].set(device, std::exp(logs[i]));
  }
  return device;
}

// Rows of one table that are fitted, as logarithms of predicted over measured. A group of n rows
// counts as sqrt(n) would: many alike rows are not that much more evidence.
class FittedTable {
 public:
  FittedTable(const MeasuredTable& table, const chip::Device& device) : table_(&table) {
    Subject subject(device);
    const Comparison comparison = compare(table, subject);
    kind_ = comparison.kind;
    const std::vector<bool> held = held_out(comparison);
    std::map<std::string, double> sizes;
    for (std::size_t i = 0; i < held.size(); ++i) {
      sizes[comparison.cases[i].group] += held[i] ? 0.0 : 1.0;
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i]) {
        rows_.push_back(i);
        weights_.push_back(std::pow(sizes[comparison.cases[i].group], -0.25));
      }
    }
  }

  [[nodiscard]] const std::string& kind() const { return kind_; }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  [[nodiscard]] bool depends_on(const Parameter& parameter) const {
    return std::ranges::find(parameter.kinds, kind_) != parameter.kinds.end();
  }

  void residuals(const chip::Device& device, std::span<double> result) const {
    Subject subject(device);
    const Comparison comparison = compare(*table_, subject);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Case& each = comparison.cases[rows_[i]];
      result[i] = weights_[i] * std::log(each.predicted / each.measured);
    }
  }

 private:
  const MeasuredTable* table_;
  std::string kind_{};
  std::vector<std::size_t> rows_{};
  std::vector<double> weights_{};
};

class Fitting {
 public:
  Fitting(std::span<const MeasuredTable* const> tables,
          const chip::Device& device,
          const std::function<void()>& tick)
      : device_(device), tick_(tick), parameters_(parameters_of(device)) {
    for (const MeasuredTable* table : tables) {
      if (kind_of(*table).fitted) {
        tables_.emplace_back(*table, device);
        rows_ += tables_.back().size();
      }
    }
    for (Parameter& parameter : parameters_) {
      std::erase_if(parameter.kinds, [&](const std::string& kind) {
        return std::ranges::find(tables_, kind, &FittedTable::kind) == tables_.end();
      });
    }
    std::erase_if(parameters_, [](const Parameter& parameter) { return parameter.kinds.empty(); });
  }

  [[nodiscard]] bool nothing_to_fit() const { return rows_ == 0; }

  std::vector<FittedParameter> run() {
    const auto logs = [&](auto value) {
      std::vector<double> result;
      for (const Parameter& parameter : parameters_) {
        result.push_back(std::log(value(parameter)));
      }
      return result;
    };
    const auto now = [&](const Parameter& parameter) { return parameter.get(device_); };
    const Residuals residuals{
        .all = [&](const std::vector<double>& x) { return all(x); },
        .changed = [&](const std::vector<double>& x,
                       std::size_t i,
                       std::vector<double>& result) { update(x, &parameters_[i], result); }};
    const Fit fit = least_squares(residuals,
                                  logs(now),
                                  logs([](const Parameter& p) { return p.least; }),
                                  logs([](const Parameter& p) { return p.most; }));
    std::vector<FittedParameter> fitted;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const double before = now(parameters_[i]);
      const bool told = fit.spread[i] < kUntold;
      fitted.push_back({.parameter = parameters_[i],
                        .before = before,
                        .after = told ? std::exp(fit.x[i]) : before,
                        .spread = fit.spread[i],
                        .told = told});
    }
    return fitted;
  }

 private:
  std::vector<double> all(const std::vector<double>& x) const {
    std::vector<double> result(rows_, 0.0);
    update(x, nullptr, result);
    return result;
  }

  // Of the tables that depend on `changed`, or of all.
  void update(const std::vector<double>& x,
              const Parameter* changed,
              std::vector<double>& result) const {
    const chip::Device device = device_at(device_, parameters_, x);
    std::span<double> rest(result);
    for (const FittedTable& table : tables_) {
      if (changed == nullptr || table.depends_on(*changed)) {
        table.residuals(device, rest.first(table.size()));
        tick_();
      }
      rest = rest.subspan(table.size());
    }
  }

  const chip::Device& device_;
  const std::function<void()>& tick_;
  std::vector<Parameter> parameters_;
  std::vector<FittedTable> tables_{};
  std::size_t rows_ = 0;
};

std::vector<Case> chosen(const Comparison& comparison, const std::vector<bool>& held, bool wanted) {
  std::vector<Case> cases;
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
      kind.fitted ? held_out(first) : std::vector<bool>(first.cases.size(), true);
  const auto change = [&](bool wanted) {
    return Change{errors_of(chosen(first, held, wanted)), errors_of(chosen(second, held, wanted))};
  };
  return {.kind = std::string(kind.name),
          .fitted = kind.fitted,
          .on = change(false),
          .held_out = change(true)};
}

}  // namespace

std::vector<bool> held_out(const Comparison& comparison) {
  constexpr std::size_t kEvery = 3;
  std::map<std::string, std::size_t> order;
  std::vector<bool> held;
  for (const Case& each : comparison.cases) {
    const std::size_t place = order.emplace(each.shape, order.size()).first->second;
    held.push_back(place % kEvery == kEvery - 1);
  }
  return held;
}

Calibrated calibrate(std::span<const MeasuredTable* const> tables,
                     const chip::Device& device,
                     const std::string& on,
                     const std::function<void()>& tick) {
  Fitting fitting(tables, device, tick);
  if (fitting.nothing_to_fit()) {
    throw ConfigError({.file = tables.front()->file(), .line = 0, .key = {}},
                      "is only for tests of a calibration (expected also e.g. gemm.csv)");
  }
  Calibrated result{.device = device, .parameters = fitting.run()};
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
    if (!fitted.told) {
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
