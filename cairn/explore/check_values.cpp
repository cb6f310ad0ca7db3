#include "cairn/explore/check_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/must_have.hpp"
#include "cairn/explore/evaluator.hpp"
#include "cairn/explore/written_at.hpp"
#include "cairn/search/dice.hpp"

namespace cairn::explore {

namespace {

using search::AxisKind;
using search::Point;

constexpr double kMaxOfOther = 16.0;  // values tried of each other key
constexpr int kByChance = 64;
constexpr std::uint64_t kSeed = 1;
// Fractions of a range that are unlikely to give whole numbers.
constexpr std::array kBetween{0.2360679774997897, 0.5527864045000421, 0.6180339887498949};

// A value of one axis.
struct Choice {
  std::size_t axis = 0;
  double value = 0.0;
};

// The first and last value, and some between.
std::vector<double> some_of(const search::Axis& axis) {
  const double all = axis.kind == AxisKind::kNumber ? 3.0 : axis.high - axis.low + 1.0;
  const double count = axis.kind == AxisKind::kChoice ? std::min(all, kMaxOfOther) : 3.0;
  std::vector<double> values;
  for (double i = 0.0; i < count; i += 1.0) {
    const double value = count > 1.0 ? axis.at(i / (count - 1.0)) : axis.low;
    values.push_back(axis.kind == AxisKind::kNumber ? value : std::round(value));
  }
  return values;
}

class Check {
 public:
  Check(const Request& request, const DataFolders& folders)
      : designs_(request.designs), evaluator_(request, folders) {}

  void all() {
    bool ignored = true;
    of_design_ = error_with({}, ignored);
    if (of_design_ && only_devices_vary() && !is_of_device(of_design_->where().key)) {
      throw *of_design_;
    }
    for (std::size_t axis = 0; axis < designs_.variables.size(); ++axis) {
      const Variable& variable = designs_.variables[axis];
      const search::Axis& range = designs_.space.axes[axis];
      if (variable.generated) {
        check_generated(axis);
        continue;
      }
      for (std::size_t c = 0; c < variable.choices.size(); ++c) {
        check({axis, static_cast<double>(c)}, variable.choices[c].where);
      }
      if (variable.choices.empty()) {
        check({axis, range.low}, variable.low);
        check({axis, range.high}, variable.high);
      }
      if (range.kind == AxisKind::kNumber) {
        check_between(axis);
      }
    }
  }

 private:
  static bool is_of_device(const std::string& key) {
    return key == "device" || key.starts_with("device.");
  }

  [[nodiscard]] bool only_devices_vary() const {
    return std::ranges::all_of(designs_.variables, is_of_device, &Variable::key);
  }

  void check(const Choice& choice, const Where& where) {
    if (const auto error = mistake(choice)) {
      complain(*error, choice.axis, where);
    }
  }

  // Generated choices: invalid ones are reported with the trials, unless all are invalid.
  void check_generated(std::size_t axis) {
    const Variable& variable = designs_.variables[axis];
    std::optional<ConfigError> first;
    for (std::size_t c = 0; c < variable.choices.size(); ++c) {
      const auto error = mistake({axis, static_cast<double>(c)});
      if (!error) {
        return;
      }
      first = first ? first : error;
    }
    complain(must_have(first, "a spread without strategies"), axis, variable.where);
  }

  // Both ends may be whole numbers while values between are not.
  void check_between(std::size_t axis) {
    std::optional<ConfigError> last;
    for (const double part : kBetween) {
      Point point = low_point();
      point[axis] = designs_.space.axes[axis].at(part);
      last = mistake({axis, designs_.space.normal(std::move(point))[axis]});
      if (!last) {
        return;
      }
    }
    complain(*last, axis, designs_.variables[axis].where);
  }

  [[noreturn]] void complain(const ConfigError& error, std::size_t axis, const Where& where) const {
    if (of_design_ && same(error, *of_design_)) {
      throw error;  // an error of the base design
    }
    throw written_at(where, designs_.variables[axis].key, error);
  }

  // Why no design with this value can be read. Nullopt if one can, or if the error depends on other
  // keys: then combinations that were not tried may be valid.
  std::optional<ConfigError> mistake(const Choice& choice) {
    std::optional<ConfigError> first;
    for (const Choice& other : others(choice.axis)) {
      if (!stays(first, choice, settings(low_point(), {other, choice}, false))) {
        return std::nullopt;
      }
    }
    search::Dice dice(kSeed);
    for (int i = 0; i < kByChance && designs_.variables.size() > 1; ++i) {
      if (!stays(first, choice, settings(random_point(designs_.space, dice), {choice}, true))) {
        return std::nullopt;
      }
    }
    return first;
  }

  // True if the value may still be invalid after these settings are tried too.
  bool stays(std::optional<ConfigError>& first,
             const Choice& choice,
             const std::optional<std::vector<std::string>>& settings) {
    if (!settings) {
      return true;
    }
    const std::string& key = designs_.variables[choice.axis].key;
    bool is_made = true;
    const auto error = error_with(*settings, is_made);
    if (!error) {
      // With an infeasible chip the rest of the design is not read.
      return !is_made && !is_of_device(key);
    }
    if (!first &&
        (!is_of_others(*error, *settings, key) || (of_design_ && same(*error, *of_design_)))) {
      first = error;
    }
    return !first || same(*error, *first) || is_of_others(*error, *settings, key);
  }

  // True if the error occurs without the key as well.
  bool is_of_others(const ConfigError& error,
                    std::vector<std::string> settings,
                    const std::string& key) {
    std::erase_if(settings, [&](const std::string& one) { return one.starts_with(key + "="); });
    bool ignored = true;
    const auto without = error_with(settings, ignored);
    return without && same(error, *without);
  }

  std::optional<ConfigError> error_with(const std::vector<std::string>& settings, bool& is_made) {
    try {
      is_made = evaluator_.is_readable(settings);
    } catch (const ConfigError& error) {
      return error;
    }
    return std::nullopt;
  }

  static bool same(const ConfigError& one, const ConfigError& other) {
    return one.what() == std::string_view(other.what());
  }

  // The value alone, then some values of each other key.
  [[nodiscard]] std::vector<Choice> others(std::size_t axis) const {
    std::vector<Choice> all{{axis, designs_.space.axes[axis].low}};
    for (std::size_t other = 0; other < designs_.variables.size(); ++other) {
      for (const double value : some_of(designs_.space.axes[other])) {
        if (other != axis) {
          all.push_back({other, value});
        }
      }
    }
    return all;
  }

  [[nodiscard]] Point low_point() const {
    Point point;
    for (const search::Axis& axis : designs_.space.axes) {
      point.push_back(axis.low);
    }
    return point;
  }

  // Sets the choice and the axes it is conditional on; marks these in `is_set`.
  void set(Point& point, const Choice& choice, std::vector<bool>& is_set) const {
    point[choice.axis] = choice.value;
    is_set[choice.axis] = true;
    if (const auto& condition = designs_.space.axes[choice.axis].condition) {
      const double now = point[condition->axis];
      const bool holds = std::ranges::find(condition->values, now) != condition->values.end();
      set(point, {condition->axis, holds ? now : condition->values.front()}, is_set);
    }
  }

  // Settings of the point with these choices: of all axes, or of the chosen ones only, the others
  // as in the base design. Nullopt if the values cannot be combined.
  [[nodiscard]] std::optional<std::vector<std::string>> settings(Point point,
                                                                 const std::vector<Choice>& choices,
                                                                 bool of_all) const {
    std::vector<bool> is_set(point.size());
    for (const Choice& choice : choices) {
      set(point, choice, is_set);
    }
    const Point meant = designs_.space.normal(point);
    std::vector<std::string> all;
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      const bool is_there = designs_.space.exists(axis, meant);
      if (is_set[axis] && (!is_there || meant[axis] != point[axis])) {
        return std::nullopt;
      }
      if (is_set[axis] || (of_all && is_there)) {
        all.push_back(designs_.setting(axis, meant));
      }
    }
    return all;
  }

  const DesignSpace& designs_;
  Evaluator evaluator_;
  std::optional<ConfigError> of_design_{};  // error of the base design
};

}  // namespace

void check_values(const Request& request, const DataFolders& folders) {
  Check(request, folders).all();
}

}  // namespace cairn::explore
