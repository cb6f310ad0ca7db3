#include "cairn/validate/fitting.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cairn/validate/fit.hpp"
#include "cairn/validate/held_out.hpp"

namespace cairn::validate {

namespace {

// The fitted rows of one table; residuals are ln(predicted / measured). A group of n rows has the
// weight of sqrt(n) rows, since similar rows are little additional evidence.
class FittedTable {
 public:
  FittedTable(const MeasuredTable& table, const chip::Device& device) : table_(table) {
    Subject subject(device);
    const Comparison comparison = compare(table, subject);
    kind_ = comparison.kind;
    const std::vector<bool> held = held_out(comparison);
    std::map<std::string, double> sizes;
    for (std::size_t i = 0; i < held.size(); ++i) {
      sizes[comparison.cases[i].group] += held[i] ? 0.0 : 1.0;
    }
    std::set<int> lines;
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i]) {
        lines.insert(comparison.cases[i].line);
        weights_.push_back(std::pow(sizes[comparison.cases[i].group], -0.25));
      }
    }
    table_.keep(lines);
  }

  [[nodiscard]] const std::string& kind() const { return kind_; }

  [[nodiscard]] std::size_t size() const { return weights_.size(); }

  [[nodiscard]] bool depends_on(const FitParameter& parameter) const {
    return std::ranges::find(parameter.kinds, kind_) != parameter.kinds.end();
  }

  void residuals(const chip::Device& device, std::span<double> result) const {
    Subject subject(device);
    const Comparison comparison = compare(table_, subject);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const ComparedRow& each = comparison.cases[i];
      result[i] = weights_[i] * std::log(each.predicted / each.measured);
    }
  }

 private:
  MeasuredTable table_;
  std::string kind_{};
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
    for (FitParameter& parameter : parameters_) {
      std::erase_if(parameter.kinds, [&](const std::string& kind) {
        return std::ranges::find(tables_, kind, &FittedTable::kind) == tables_.end();
      });
    }
    std::erase_if(parameters_,
                  [](const FitParameter& parameter) { return parameter.kinds.empty(); });
  }

  // Fits all parameters; then repeats without the undetermined ones, which keep their values, until
  // all of the rest are determined.
  std::vector<FittedParameter> run() {
    std::vector<FittedParameter> fitted;
    if (rows_ == 0) {
      return fitted;
    }
    for (const FitParameter& parameter : parameters_) {
      const double before = parameter.get(device_);
      fitted.push_back({.parameter = parameter, .before = before, .after = before});
    }
    Fit fit = from_all_starts();
    while (true) {
      bool all_determined = true;
      std::vector<double> x;
      std::vector<FitParameter> rest;
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        FittedParameter& each =
            *std::ranges::find(fitted, parameters_[i].key, &FittedParameter::key);
        each.determined = fit.determined[i];
        each.after = each.determined ? std::exp(fit.x[i]) : each.before;
        each.spread = fit.spread[i];
        all_determined = all_determined && each.determined;
        if (each.determined) {
          x.push_back(fit.x[i]);
          rest.push_back(parameters_[i]);
        }
      }
      if (all_determined) {
        return fitted;
      }
      parameters_ = std::move(rest);
      fit = from(std::move(x));
    }
  }

 private:
  // The better fit of two starts, the device's figures and typical ones: there are several minima,
  // and the result should not depend on the file.
  Fit from_all_starts() const {
    std::vector<double> stated;
    std::vector<double> typical;
    for (const FitParameter& parameter : parameters_) {
      typical.push_back(std::log(parameter.typical));
      stated.push_back(parameter.stated(device_) ? std::log(parameter.get(device_))
                                                 : typical.back());
    }
    Fit found = from(typical);
    if (stated != typical) {
      Fit other = from(std::move(stated));
      return other.after < found.after ? other : found;
    }
    return found;
  }

  Fit from(std::vector<double> x) const {
    Bounds bounds;
    for (const FitParameter& parameter : parameters_) {
      bounds.least.push_back(std::log(parameter.least));
      bounds.most.push_back(std::log(parameter.most));
    }
    const Residuals residuals{
        .all = [&](const std::vector<double>& at) { return all(at); },
        .changed = [&](const std::vector<double>& at,
                       std::size_t i,
                       std::vector<double>& result) { update(at, &parameters_[i], result); }};
    return least_squares(residuals, std::move(x), bounds);
  }

  std::vector<double> all(const std::vector<double>& x) const {
    std::vector<double> result(rows_, 0.0);
    update(x, nullptr, result);
    return result;
  }

  // Updates residuals of the tables that depend on `changed`; nullptr: of all.
  void update(const std::vector<double>& x,
              const FitParameter* changed,
              std::vector<double>& result) const {
    chip::Device device = device_;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i].set(device, std::exp(x[i]));
    }
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
  std::vector<FitParameter> parameters_;  // without undetermined ones
  std::vector<FittedTable> tables_{};
  std::size_t rows_ = 0;
};

}  // namespace

std::vector<FittedParameter> fitted_parameters(std::span<const MeasuredTable* const> tables,
                                               const chip::Device& device,
                                               const std::function<void()>& tick) {
  return Fitting(tables, device, tick).run();
}

}  // namespace cairn::validate
