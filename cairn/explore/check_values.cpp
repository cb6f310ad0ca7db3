#include "cairn/explore/check_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "cairn/explore/evaluator.hpp"
#include "cairn/explore/written_at.hpp"
#include "cairn/search/dice.hpp"

namespace cairn::explore {

namespace {

using search::AxisKind;
using search::Point;

constexpr std::size_t kMostOfOther = 16;  // values of another key that are tried along
constexpr int kByChance = 64;
constexpr std::uint64_t kSeed = 1;
// Parts of a range that are not likely to be whole numbers of anything.
constexpr std::array kBetween{0.2360679774997897, 0.5527864045000421, 0.6180339887498949};

// A value, and where it is written, if it is.
struct Probe {
  double value = 0.0;
  std::optional<Where> where{};
};

// Of some axes; the others are as the design has them.
struct Choice {
  std::size_t axis = 0;
  double value = 0.0;
};

void collect_files(const Config& config, std::set<std::string>& files) {
  files.insert(config.where.file);
  for (const Config& item : config.items) {
    collect_files(item, files);
  }
}

class Check {
 public:
  Check(const Request& request, const DataFolders& folders)
      : designs_(request.designs), evaluator_(request, folders) {
    collect_files(designs_.base, files_of_design_);
  }

  void all() {
    for (std::size_t a = 0; a < designs_.variables.size(); ++a) {
      check(a);
    }
  }

 private:
  void check(std::size_t axis) {
    bool one_reads = false;
    std::optional<ConfigError> first;
    for (const Probe& probe : written_values(axis)) {
      const auto error = mistake({axis, probe.value});
      if (error && is_about(*error, axis)) {
        complain(*probe.where, *error, axis);
      }
      one_reads = one_reads || !error;
      first = first ? first : error;
    }
    if (designs_.space.axes[axis].kind != AxisKind::kChoice) {
      check_between(axis, one_reads, first);
    }
    if (one_reads) {
      return;
    }
    if (const auto before = error_with({});
        before && before->what() == std::string(first->what())) {
      throw *before;  // of the design, whatever varies
    }
    complain(designs_.variables[axis].where, *first, axis);
  }

  // Both ends may be whole numbers that nothing between them is.
  void check_between(std::size_t axis, bool& one_reads, std::optional<ConfigError>& first) {
    const search::Axis& range = designs_.space.axes[axis];
    std::optional<ConfigError> of_these;
    bool one_of_these = false;
    for (const double part : kBetween) {
      Point point = low_point();
      point[axis] = range.at(part);
      const auto error = mistake({axis, designs_.space.normal(point)[axis]});
      one_of_these = one_of_these || !error;
      of_these = of_these ? of_these : error;
    }
    if (!one_of_these && is_about(*of_these, axis)) {
      complain(designs_.variables[axis].where, *of_these, axis);
    }
    one_reads = one_reads || one_of_these;
    first = first ? first : of_these;
  }

  // Each that is a choice, or those at the ends.
  [[nodiscard]] std::vector<Probe> written_values(std::size_t axis) const {
    const Variable& variable = designs_.variables[axis];
    const search::Axis& range = designs_.space.axes[axis];
    if (variable.choices.empty()) {
      return {{range.low, variable.low}, {range.high, variable.high}};
    }
    std::vector<Probe> probes;
    for (std::size_t c = 0; c < variable.choices.size(); ++c) {
      probes.push_back({static_cast<double>(c), variable.choices[c].where});
    }
    return probes;
  }

  // Why no design that was tried with this choice can be read; nothing if one can.
  std::optional<ConfigError> mistake(const Choice& choice) {
    std::optional<ConfigError> any;
    std::optional<ConfigError> about;
    bool undecided = false;
    const bool is_of_device = designs_.variables[choice.axis].key.starts_with("device");
    const auto reads = [&](const std::optional<std::vector<std::string>>& settings) {
      if (!settings) {
        return false;
      }
      try {
        if (evaluator_.reads(*settings) || is_of_device) {
          return true;
        }
        undecided = true;
      } catch (const ConfigError& error) {
        any = any ? any : error;
        if (!about && is_about(error, choice.axis)) {
          about = error;
        }
      }
      return false;
    };
    if (some_combination(choice, reads)) {
      return std::nullopt;
    }
    if (about) {
      return about;
    }
    return undecided ? std::nullopt : any;
  }

  template <class Reads>
  bool some_combination(const Choice& choice, const Reads& reads) {
    if (reads(settings({choice}))) {
      return true;
    }
    for (std::size_t other = 0; other < designs_.variables.size(); ++other) {
      for (const double value : other == choice.axis ? std::vector<double>{} : some_of(other)) {
        if (reads(settings({{other, value}, choice}))) {
          return true;
        }
      }
    }
    for (const auto end : {&search::Axis::low, &search::Axis::high}) {
      if (reads(settings_at(end_point(end), choice))) {
        return true;
      }
    }
    search::Dice dice(kSeed);
    for (int i = 0; i < kByChance; ++i) {
      if (reads(settings_at(random_point(designs_.space, dice), choice))) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::vector<double> some_of(std::size_t axis) const {
    const search::Axis& range = designs_.space.axes[axis];
    const bool is_choice = range.kind == AxisKind::kChoice;
    const double count =
        is_choice ? std::min(range.high + 1.0, static_cast<double>(kMostOfOther)) : 3.0;
    std::vector<double> values;
    for (double i = 0.0; i < count; i += 1.0) {
      const double value = count > 1.0 ? range.at(i / (count - 1.0)) : range.low;
      values.push_back(range.kind == AxisKind::kNumber ? value : std::round(value));
    }
    return values;
  }

  // Where all axes are at the same end.
  [[nodiscard]] Point end_point(double search::Axis::* end) const {
    Point point;
    for (const search::Axis& axis : designs_.space.axes) {
      point.push_back(axis.*end);
    }
    return point;
  }

  [[nodiscard]] Point low_point() const { return end_point(&search::Axis::low); }

  // Sets it, and what it is there for only.
  void set(Point& point, const Choice& choice, std::set<std::size_t>& axes) const {
    point[choice.axis] = choice.value;
    axes.insert(choice.axis);
    const auto& condition = designs_.space.axes[choice.axis].condition;
    if (!condition) {
      return;
    }
    const auto& values = condition->values;
    const double now = point[condition->axis];
    const bool holds = std::ranges::find(values, now) != values.end();
    set(point, {condition->axis, holds ? now : values.front()}, axes);
  }

  // Of these axes only. Nothing if they cannot have these values at once.
  [[nodiscard]] std::optional<std::vector<std::string>> settings(
      const std::vector<Choice>& choices) const {
    Point point = low_point();
    std::set<std::size_t> axes;
    for (const Choice& choice : choices) {
      set(point, choice, axes);
    }
    const Point meant = designs_.space.normal(point);
    std::vector<std::string> all;
    for (const std::size_t axis : axes) {
      if (!designs_.space.is_there(axis, meant) || meant[axis] != point[axis]) {
        return std::nullopt;
      }
      all.push_back(designs_.setting(axis, meant));
    }
    return all;
  }

  // Of all axes.
  [[nodiscard]] std::optional<std::vector<std::string>> settings_at(Point point,
                                                                    const Choice& choice) const {
    std::set<std::size_t> axes;
    set(point, choice, axes);
    point = designs_.space.normal(std::move(point));
    if (!designs_.space.is_there(choice.axis, point) || point[choice.axis] != choice.value) {
      return std::nullopt;
    }
    return designs_.settings(point);
  }

  std::optional<ConfigError> error_with(const std::vector<std::string>& settings) {
    try {
      evaluator_.reads(settings);
    } catch (const ConfigError& error) {
      return error;
    }
    return std::nullopt;
  }

  // About the value, something in it, or a file that it names.
  [[nodiscard]] bool is_about(const ConfigError& error, std::size_t axis) const {
    const auto& [file, line, key] = error.where();
    if (file != kSettingFile) {
      return !file.empty() && !files_of_design_.contains(file);
    }
    const std::string& varies = designs_.variables[axis].key;
    return key == varies ||
           (key.starts_with(varies) && (key[varies.size()] == '.' || key[varies.size()] == '['));
  }

  [[noreturn]] void complain(const Where& where, const ConfigError& error, std::size_t axis) const {
    throw written_at(where, designs_.variables[axis].key, error);
  }

  const DesignSpace& designs_;
  Evaluator evaluator_;
  std::set<std::string> files_of_design_{};
};

}  // namespace

void check_values(const Request& request, const DataFolders& folders) {
  Check(request, folders).all();
}

}  // namespace cairn::explore
