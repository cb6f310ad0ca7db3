#include "cairn/explore/design_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "cairn/base/any_quantity.hpp"
#include "cairn/base/figure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/explore/device_counts.hpp"
#include "cairn/explore/spreads.hpp"

namespace cairn::explore {

namespace {

using search::Axis;
using search::AxisKind;

enum class Scale : std::uint8_t { kLinear, kLog };

}  // namespace

}  // namespace cairn::explore

template <>
struct cairn::EnumNames<cairn::explore::Scale> {
  using E = cairn::explore::Scale;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kLinear, "linear"}, {E::kLog, "log"}}};
};

namespace cairn::explore {

namespace {

// What is written of an axis, unless it is a list of choices.
struct WrittenAxis {
  Config from{};
  Config to{};
  Scale scale = Scale::kLinear;
  bool whole = false;
  std::string budget{};
  Config values{};
  std::vector<plan::Parallelism> spread{};
  std::vector<std::uint32_t> stages{};  // empty: any number
  Config when{};
};

const Schema<WrittenAxis>& schema_of(const WrittenAxis*) {
  static const auto kSchema =
      Schema<WrittenAxis>("axis", "what a key of the design may be")
          .optional("values", &WrittenAxis::values, "one of these; also written as a list alone")
          .optional("from", &WrittenAxis::from, "the least number, with its unit")
          .optional("to", &WrittenAxis::to, "the largest number")
          .optional("scale", &WrittenAxis::scale, "from .. to: equal differences or equal ratios")
          .optional("whole", &WrittenAxis::whole, "from .. to: whole numbers only")
          .optional("budget",
                    &WrittenAxis::budget,
                    "from .. to: a share of this budget; shares add up to at most 1")
          .optional("spread",
                    &WrittenAxis::spread,
                    "every strategy of these kinds that splits the design's devices")
          .optional("stages",
                    &WrittenAxis::stages,
                    "spread: only with these numbers of pipeline stages (none: with any)")
          .at_least(1)
          .optional("when",
                    &WrittenAxis::when,
                    "vary only if an earlier key has one of these values: {KEY: [VALUE, ...]}");
  return kSchema;
}

Figure figure_of(const Config& config) {
  auto figure = figure_in(scalar_text(config, "a number, with its unit if it has one"));
  if (!figure) {
    reject(config, "is not a number, with its unit if it has one (expected e.g. \"25 GB/s\")");
  }
  if (!std::isfinite(figure->number)) {
    reject(config, "is no number with an end");
  }
  return *std::move(figure);
}

// Its number in another unit: 1 GB is 1000 of MB. Nothing if they have not the same dimension.
std::optional<double> number_in(const Figure& figure, const std::string& unit) {
  if (figure.unit == unit) {
    return figure.number;
  }
  const auto value = any_quantity_in(to_text(figure));
  const auto one = any_quantity_in("1 " + unit);
  return value && one && value->dimension == one->dimension ? std::optional(value->si / one->si)
                                                            : std::nullopt;
}

// The same of what is written, for a key that is in this unit.
double number_in(const Config& config, const std::string& unit) {
  const auto number = number_in(figure_of(config), unit);
  if (!number) {
    reject(config,
           unit.empty() ? "has a unit, and its key has none"
                        : fmt::format("cannot be had in {}", in_quotes(unit)));
  }
  return *number;
}

// Letter by letter, or as a number: 256 and 256.0, 1 GB and 1000 MB.
bool means_the_same(const Config& a, const Config& b) {
  if (to_text(a) == to_text(b)) {
    return true;
  }
  if (a.kind != Config::Kind::kScalar || b.kind != Config::Kind::kScalar) {
    return false;
  }
  const auto one = figure_in(a.text);
  const auto other = figure_in(b.text);
  return one && other && number_in(*one, other->unit) == other->number;
}

// "strategy.batch" is inside "strategy".
bool is_inside(std::string_view key, std::string_view outer) {
  return key.size() > outer.size() && key.starts_with(outer) &&
         (key[outer.size()] == '.' || key[outer.size()] == '[');
}

// A range, a list and a spread each have keys that mean nothing with the others.
void check_goes_together(const Config& config) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kGoesWith{
      {{"spread", "spread"},
       {"stages", "spread"},
       {"values", "values"},
       {"from", "from"},
       {"scale", "from"},
       {"whole", "from"},
       {"budget", "from"}}};
  std::string_view kind;
  for (const std::string_view decides : {"spread", "values", "from"}) {
    if (kind.empty() && config.find(decides) != nullptr) {
      kind = decides;
    }
  }
  for (const auto& [key, with] : kGoesWith) {
    const Config* value = config.find(key);
    if (value != nullptr && !kind.empty() && with != kind) {
      reject(*value, fmt::format("means nothing with `{}`", kind));
    }
  }
}

class Reader {
 public:
  Reader(const Config& design, const DataFolders& folders) : folders_(folders) {
    result_.base = design;
  }

  DesignSpace read(const Config& vary) {
    if (vary.kind != Config::Kind::kMap) {
      reject(vary, "is no map from keys of the design to what they may be");
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
        reject(vary, fmt::format("gives away {:.4g} of the budget {} at least", least, name));
      }
      result_.space.budgets.push_back(std::move(axes));
    }
    return std::move(result_);
  }

 private:
  struct Spread {
    const Config& where;
    DeviceCounts counts{};
    std::size_t axes = 0;  // that were there
  };

  void add(const std::string& key, const Config& config) {
    for (const Variable& before : result_.variables) {
      if (before.key == key) {
        reject(config, "is said twice");
      }
      if (is_inside(before.key, key)) {
        reject(config, fmt::format("leaves nothing of {}, which varies above", before.key));
      }
    }
    if (config.kind == Config::Kind::kList) {
      add_choices(key, config, config.items);
      return;
    }
    const auto written = read_config<WrittenAxis>(config);
    check_goes_together(config);
    if (!written.spread.empty()) {
      add_spread(key, config, written);
    } else if (written.values.kind == Config::Kind::kList) {
      add_choices(key, written.values, written.values.items);
    } else if (written.from.kind == Config::Kind::kScalar &&
               written.to.kind == Config::Kind::kScalar) {
      add_number(key, config, written);
    } else {
      reject(config, "says neither `from` and `to`, nor `values`, nor `spread`");
    }
    add_condition(written.when);
  }

  void add_choices(const std::string& key, const Config& where, const std::vector<Config>& values) {
    if (values.empty()) {
      reject(where, "has nothing to choose from");
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
      if (std::any_of(values.begin(), value, [&](const Config& before) {
            return means_the_same(before, *value);
          })) {
        reject(*value, "is said twice");
      }
    }
    result_.space.axes.push_back(Axis::choice(key, values.size()));
    result_.variables.push_back({.key = key, .choices = values, .where = where.where});
  }

  void add_number(const std::string& key, const Config& config, const WrittenAxis& written) {
    const Figure from = figure_of(written.from);
    // That of `from`, in which the least is a number that is readable; 0 is so in any.
    const std::string unit =
        from.number == 0.0 && !from.unit.empty() ? figure_of(written.to).unit : from.unit;
    const Figure low{number_in(written.from, unit), unit};
    const Figure high{number_in(written.to, unit), unit};
    if (low.number > high.number) {
      reject(written.from,
             fmt::format("is more than it is to, {} (expected the lesser first)",
                         in_quotes(written.to.text)));
    }
    if (written.scale == Scale::kLog && low.number <= 0.0) {
      reject(written.from, "is not above 0, as ratios need");
    }
    if (written.whole &&
        (low.number != std::floor(low.number) || high.number != std::floor(high.number))) {
      reject(config, "has bounds that are not whole");
    }
    if (!written.budget.empty()) {
      if (written.whole || !low.unit.empty() || low.number < 0.0 || high.number > 1.0) {
        reject(config, "is part of a budget, but not a number from 0 to 1");
      }
      budgets_[written.budget].push_back(result_.space.axes.size());
    }
    result_.space.axes.push_back({.name = key,
                                  .kind = written.whole ? AxisKind::kWhole : AxisKind::kNumber,
                                  .low = low.number,
                                  .high = high.number,
                                  .logarithmic = written.scale == Scale::kLog});
    result_.variables.push_back({.key = key,
                                 .unit = low.unit,
                                 .where = config.where,
                                 .low = written.from.where,
                                 .high = written.to.where});
  }

  // Of the axis that was read last.
  void add_condition(const Config& when) {
    if (when.kind == Config::Kind::kNull) {
      return;
    }
    if (when.kind != Config::Kind::kMap || when.keys.size() != 1) {
      reject(when, "is no map from one key to its values");
    }
    const std::size_t axis = find(when.keys.front());
    if (axis + 1 >= result_.variables.size()) {
      reject(when, "is about a key that does not vary, or only further down");
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
    const double number = number_in(value, variable.unit);
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

  // All that fit some number of devices; on each platform, those that fit it.
  void add_spread(const std::string& key, const Config& config, const WrittenAxis& written) {
    DeviceCounts counts = device_counts(result_, folders_, config);
    std::map<std::uint32_t, std::vector<double>> of_count;
    std::vector<Config> choices;
    search::Restriction restriction{.axes = counts.axes};
    for (const auto& [values, devices] : counts.by_values) {
      const auto [fitting, is_new] = of_count.try_emplace(devices);
      for (std::string& text : is_new ? all_spreads(devices, written.spread, written.stages)
                                      : std::vector<std::string>{}) {
        fitting->second.push_back(static_cast<double>(choices.size()));
        choices.push_back({.kind = Config::Kind::kScalar,
                           .where = config.where,
                           .text = std::move(text),
                           .keys = {},
                           .items = {}});
      }
      restriction.choices[values] = fitting->second;
    }
    spreads_.push_back({config, std::move(counts), result_.variables.size()});
    add_choices(key, config, choices);
    result_.variables.back().generated = true;
    if (of_count.size() > 1) {
      result_.space.axes.back().restriction = std::move(restriction);
    }
  }

  // What was read since must not change how many devices there are.
  void check_counted(const Spread& spread) const {
    const DeviceCounts now = device_counts(result_, folders_, spread.where);
    for (const auto& [values, devices] : now.by_values) {
      search::Point before;
      for (std::size_t i = 0; i < values.size() && now.axes[i] < spread.axes; ++i) {
        before.push_back(values[i]);
      }
      const auto known = spread.counts.by_values.find(before);
      if (known != spread.counts.by_values.end() && known->second != devices) {
        reject(spread.where, "is for devices whose number varies only further down");
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
  if (!space.is_there(axis, point)) {
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
    if (space.is_there(a, point)) {
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

std::string axis_reference() {
  return "vary: {KEY: AXIS, ...}, with KEY a key of the design and AXIS one of\n"
         "  [VALUE, ...]\n"
         "  {values: [VALUE, ...]}\n"
         "  {from: 25 GB/s, to: 200 GB/s, scale: log}\n"
         "  {from: 0, to: 1, budget: area}\n"
         "  {spread: [data, tensor], stages: [1, 2, 4]}\n\n" +
         schema_of(static_cast<const WrittenAxis*>(nullptr)).reference();
}

DesignSpace read_design_space(const Config& design,
                              const Config& vary,
                              const DataFolders& folders) {
  DesignSpace result = Reader(design, folders).read(vary);
  // Once, so that no trial has to read what is only named.
  result.base = written_out_design(result.base, folders);
  return result;
}

}  // namespace cairn::explore
