#include "cairn/explore/device_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cairn/base/any_quantity.hpp"
#include "cairn/base/figure.hpp"
#include "cairn/explore/written_at.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::explore {

namespace {

constexpr std::size_t kMaxPlatforms = 4096;

// Bandwidths and latencies cannot change the number of devices: they have units.
bool has_unit(const Variable& variable) {
  return !variable.unit.empty() ||
         (!variable.choices.empty() &&
          std::ranges::all_of(variable.choices, [](const Config& choice) {
            return choice.kind == Config::Kind::kScalar && any_quantity_in(choice.text);
          }));
}

bool may_change_count(const Variable& variable, const search::Axis& axis) {
  return axis.kind != search::AxisKind::kNumber && !has_unit(variable) &&
         (variable.key == "platform" || variable.key.starts_with("platform.") ||
          variable.key == "strategy.devices");
}

class Counting {
 public:
  Counting(const DesignSpace& designs, const DataFolders& folders, const Config& where)
      : designs_(designs), folders_(folders), where_(where) {}

  DeviceCounts all() {
    std::set<std::size_t> axes;  // that set the count, and those in their conditions
    for (std::size_t a = 0; a < designs_.variables.size(); ++a) {
      if (may_change_count(designs_.variables[a], designs_.space.axes[a])) {
        axes.insert(a);
        for (auto* condition = &designs_.space.axes[a].condition; *condition;
             condition = &designs_.space.axes[(*condition)->axis].condition) {
          axes.insert((*condition)->axis);
        }
      }
    }
    result_.axes.assign(axes.begin(), axes.end());
    search::Point point;
    for (const search::Axis& axis : designs_.space.axes) {
      point.push_back(axis.low);
    }
    walk(0, point);
    if (result_.by_values.empty()) {
      throw result_.axes.empty() ? *error_ : complaint();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] ConfigError complaint() const {
    const Variable& first = designs_.variables[result_.axes.front()];
    return written_at(first.where, first.key, *error_);
  }

  void walk(std::size_t place, search::Point& point) {
    if (place == result_.axes.size()) {
      count(point);
      return;
    }
    const std::size_t axis = result_.axes[place];
    const search::Axis& range = designs_.space.axes[axis];
    const bool several =
        designs_.space.exists(axis, point) && range.kind != search::AxisKind::kNumber;
    for (double value = range.low; value <= (several ? range.high : range.low); value += 1.0) {
      point[axis] = value;
      walk(place + 1, point);
    }
    point[axis] = range.low;
  }

  void count(const search::Point& point) {
    if (++looked_at_ > kMaxPlatforms) {
      reject(where_,
             fmt::format("covers more than {} platforms (use fewer values for keys that change the "
                         "number of devices)",
                         kMaxPlatforms));
    }
    search::Point key;
    std::vector<std::string> settings;
    for (const std::size_t axis : result_.axes) {
      key.push_back(designs_.space.value_or_absent(axis, point));
      if (designs_.space.exists(axis, point)) {
        settings.push_back(designs_.setting(axis, point));
      }
    }
    try {
      result_.by_values[key] = devices_of(designs_.config(settings, folders_));
    } catch (const ConfigError& error) {
      error_ = error_ ? error_ : error;
    }
  }

  [[nodiscard]] std::uint32_t devices_of(const Config& design) const {
    const Config* strategy = design.find("strategy");
    const Config* some = strategy != nullptr && strategy->kind == Config::Kind::kMap
                             ? strategy->find("devices")
                             : nullptr;
    if (some != nullptr && some->kind == Config::Kind::kScalar) {
      const auto figure = figure_in(some->text);
      if (figure && figure->number >= 1.0 && figure->number <= UINT32_MAX) {
        return static_cast<std::uint32_t>(figure->number);
      }
    }
    const Config* platform = design.find("platform");
    if (platform == nullptr) {
      reject(where_, "needs a design with a platform");
    }
    return platform::read_platform(*platform, folders_.platform_presets()).device_count();
  }

  const DesignSpace& designs_;
  const DataFolders& folders_;
  const Config& where_;
  DeviceCounts result_;
  std::size_t looked_at_ = 0;
  std::optional<ConfigError> error_;
};

}  // namespace

DeviceCounts device_counts(const DesignSpace& designs,
                           const DataFolders& folders,
                           const Config& where) {
  return Counting(designs, folders, where).all();
}

}  // namespace cairn::explore
