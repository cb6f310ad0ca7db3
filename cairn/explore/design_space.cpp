#include "cairn/explore/design_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "cairn/base/figure.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/explore/device_counts.hpp"
#include "cairn/explore/spreads.hpp"
#include "cairn/explore/written_axis.hpp"
#include "cairn/explore/written_number.hpp"

namespace cairn::explore {

namespace {

using search::Axis;
using search::AxisKind;

// "strategy.batch" is inside "strategy".
bool is_inside(std::string_view key, std::string_view outer) {
  return key.size() > outer.size() && key.starts_with(outer) &&
         (key[outer.size()] == '.' || key[outer.size()] == '[');
}

class Reader {
 public:
  Reader(const Config& design, const DataFolders& folders) : folders_(folders) {
    result_.base = design;
  }

  DesignSpace read(const Config& vary) {
    if (vary.kind != Config::Kind::kMap) {
      reject(vary,
             "is not a map from design keys to axes (expected e.g. "
             "\"{strategy.batch: [256, 512]}\")");
    }
    if (vary.keys.empty()) {
      throw ConfigError(vary.where,
                        "nothing varies (expected e.g. \"{strategy.batch: [256, 512]}\")");
    }
    for (std::size_t i = 0; i < vary.keys.size(); ++i) {
      add(vary.keys[i], vary.items[i]);
    }
    for (const Spread& spread : spreads_) {
      check_counted(spread);
    }
    for (auto& [name, axes] : budgets_) {
      double least = 0.0;
      for (const std::size_t axis : axes) {
        least += result_.space.axes[axis].low;
      }
      if (least > 1.0) {
        reject(
            vary,
            fmt::format("uses at least {:.4g} of the budget {} (expected at most 1)", least, name));
      }
      result_.space.budgets.push_back(std::move(axes));
    }
    return std::move(result_);
  }

 private:
  struct Spread {
    const Config& where;
    DeviceCounts counts{};
    std::size_t axes = 0;  // number of axes read before it
  };

  void add(const std::string& key, const Config& config) {
    for (const Variable& before : result_.variables) {
      if (before.key == key) {
        reject(config, "is given twice");
      }
      if (is_inside(before.key, key)) {
        reject(config, fmt::format("overrides {}, which varies above", before.key));
      }
    }
    const WrittenAxis written = read_axis(config);
    if (!written.spread.empty()) {
      add_spread(key, config, written);
    } else if (written.values.kind == Config::Kind::kList) {
      add_choices(key, written.values, written.values.items);
    } else {
      add_number(key, config, written);
    }
    add_condition(written.when);
  }

  void add_choices(const std::string& key, const Config& where, const std::vector<Config>& values) {
    if (values.empty()) {
      reject(where, "has no values");
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
      if (std::any_of(values.begin(), value, [&](const Config& before) {
            return means_the_same(before, *value);
          })) {
        reject(*value, "is given twice");
      }
    }
    result_.space.axes.push_back(Axis::choice(key, values.size()));
    result_.variables.push_back({.key = key, .choices = values, .where = where.where});
  }

  void add_number(const std::string& key, const Config& config, const WrittenAxis& written) {
    const Figure from = read_figure(written.from);
    // The unit of `from`, as it fits the minimum; 0 is readable in any unit.
    const std::string unit =
        from.number == 0.0 && !from.unit.empty() ? read_figure(written.to).unit : from.unit;
    const Figure low{read_number_in(written.from, unit), unit};
    const Figure high{read_number_in(written.to, unit), unit};
    if (low.number > high.number) {
      reject(written.from, fmt::format("is greater than `to`, {}", in_quotes(written.to.text)));
    }
    if (written.scale == AxisScale::kLog && low.number <= 0.0) {
      reject(written.from, "must be greater than 0 for scale: log");
    }
    if (written.whole &&
        (low.number != std::floor(low.number) || high.number != std::floor(high.number))) {
      reject(config, "has bounds that are not whole numbers");
    }
    if (!written.budget.empty()) {
      if (written.whole || !low.unit.empty() || low.number < 0.0 || high.number > 1.0) {
        reject(config, "is part of a budget and must be a range within 0 to 1");
      }
      budgets_[written.budget].push_back(result_.space.axes.size());
    }
    result_.space.axes.push_back({.name = key,
                                  .kind = written.whole ? AxisKind::kWhole : AxisKind::kNumber,
                                  .low = low.number,
                                  .high = high.number,
                                  .logarithmic = written.scale == AxisScale::kLog});
    result_.variables.push_back({.key = key,
                                 .unit = low.unit,
                                 .where = config.where,
                                 .low = written.from.where,
                                 .high = written.to.where});
  }

  // Adds a condition to the last axis.
  void add_condition(const Config& when) {
    if (when.kind == Config::Kind::kNull) {
      return;
    }
    if (when.kind != Config::Kind::kMap || when.keys.size() != 1) {
      reject(when, "is not a map from one key to its values");
    }
    const std::size_t axis = find(when.keys.front());
    if (axis + 1 >= result_.variables.size()) {
      reject(when, "names a key that does not vary above");
    }
    search::Condition condition{.axis = axis};
    const Config& wanted = when.items.front();
    for (const Config& value :
         wanted.kind == Config::Kind::kList ? wanted.items : std::vector{wanted}) {
      condition.values.push_back(
          place_of(value, result_.variables[axis], result_.space.axes[axis]));
    }
    result_.space.axes.back().condition = std::move(condition);
  }

  static double place_of(const Config& value, const Variable& variable, const Axis& axis) {
    for (std::size_t c = 0; c < variable.choices.size(); ++c) {
      if (means_the_same(variable.choices[c], value)) {
        return static_cast<double>(c);
      }
    }
    if (!variable.choices.empty()) {
      reject(value, fmt::format("is not among the values of {}", variable.key));
    }
    const double number = read_number_in(value, variable.unit);
    if (number < axis.low || number > axis.high ||
        (axis.kind == AxisKind::kWhole && number != std::floor(number))) {
      reject(value, fmt::format("is not among the values of {}", variable.key));
    }
    return number;
  }

  [[nodiscard]] std::size_t find(const std::string& key) const {
    return static_cast<std::size_t>(std::ranges::find(result_.variables, key, &Variable::key) -
                                    result_.variables.begin());
  }

  void add_spread(const std::string& key, const Config& config, const WrittenAxis& written) {
    DeviceCounts counts = device_counts(result_, folders_, config);
    SpreadChoices spreads = spread_choices(counts, written.spread, written.stages);
    std::vector<Config> choices;
    for (std::string& text : spreads.strategies) {
      choices.push_back({.kind = Config::Kind::kScalar,
                         .where = config.where,
                         .text = std::move(text),
                         .keys = {},
                         .items = {}});
    }
    spreads_.push_back({config, std::move(counts), result_.variables.size()});
    add_choices(key, config, choices);
    result_.variables.back().generated = true;
    result_.space.axes.back().restriction = std::move(spreads.restriction);
  }

  // Axes read after the spread must not change the number of devices.
  void check_counted(const Spread& spread) const {
    const DeviceCounts now = device_counts(result_, folders_, spread.where);
    for (const auto& [values, devices] : now.by_values) {
      search::Point before;
      for (std::size_t i = 0; i < values.size() && now.axes[i] < spread.axes; ++i) {
        before.push_back(values[i]);
      }
      const auto known = spread.counts.by_values.find(before);
      if (known != spread.counts.by_values.end() && known->second != devices) {
        reject(spread.where,
               "depends on the number of devices, which varies further down (put that key first)");
      }
    }
  }

  const DataFolders& folders_;
  std::map<std::string, std::vector<std::size_t>> budgets_;
  std::vector<Spread> spreads_;
  DesignSpace result_;
};

}  // namespace

std::string DesignSpace::value_text(std::size_t axis, const search::Point& point) const {
  if (!space.exists(axis, point)) {
    return "";
  }
  const Variable& variable = variables[axis];
  if (!variable.choices.empty()) {
    return to_text(variable.choices[static_cast<std::size_t>(point[axis])]);
  }
  return to_text(Figure{point[axis], variable.unit});
}

std::string DesignSpace::setting(std::size_t axis, const search::Point& point) const {
  return variables[axis].key + "=" + value_text(axis, point);
}

std::vector<std::string> DesignSpace::settings(const search::Point& point) const {
  std::vector<std::string> all;
  for (std::size_t a = 0; a < variables.size(); ++a) {
    if (space.exists(a, point)) {
      all.push_back(setting(a, point));
    }
  }
  return all;
}

Config DesignSpace::config(const std::vector<std::string>& settings,
                           const DataFolders& folders) const {
  Config design = base;
  for (const std::string& setting : settings) {
    set_value_of_design(design, setting, folders);
  }
  return design;
}

DesignSpace read_design_space(const Config& design,
                              const Config& vary,
                              const DataFolders& folders) {
  DesignSpace result = Reader(design, folders).read(vary);
  // Once, so that trials do not read the named files again.
  result.base = written_out_design(result.base, folders);
  return result;
}

}  // namespace cairn::explore
