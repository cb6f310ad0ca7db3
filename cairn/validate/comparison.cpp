#include "cairn/validate/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace cairn::validate {

namespace {

// Linear between neighbours; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double part) {
  const double position = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double rest = position - std::floor(position);
  return sorted[below] + (sorted[above] - sorted[below]) * rest;
}

std::optional<double> correlation_of(std::span<const ComparedRow> cases) {
  const auto count = static_cast<double>(cases.size());
  double x_mean = 0.0;
  double y_mean = 0.0;
  for (const ComparedRow& each : cases) {
    x_mean += each.measured.si() / count;
    y_mean += each.predicted.si() / count;
  }
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (const ComparedRow& each : cases) {
    const double x = each.measured.si() - x_mean;
    const double y = each.predicted.si() - y_mean;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0.0 && yy > 0.0 ? std::optional(xy / std::sqrt(xx * yy)) : std::nullopt;
}

// Ends of the decades of time, and their names.
struct Decade {
  Seconds below{};
  const char* name = nullptr;
};

constexpr std::array kDecades{
    Decade{Seconds(1e-5), "below 10 us"},
    Decade{Seconds(1e-4), "10 to 100 us"},
    Decade{Seconds(1e-3), "100 us to 1 ms"},
    Decade{Seconds(1e-2), "1 to 10 ms"},
    Decade{Seconds(1e-1), "10 to 100 ms"},
    Decade{Seconds(std::numeric_limits<double>::infinity()), "100 ms and more"},
};

}  // namespace

void Comparison::skip(const std::string& name, int line, const Infeasible& reason) {
  skipped.push_back({name, line, reason.limit() + ": " + reason.detail});
}

Errors errors_of(std::span<const ComparedRow> cases) {
  Errors errors{.cases = cases.size()};
  if (cases.empty()) {
    return errors;
  }
  const auto count = static_cast<double>(cases.size());
  std::vector<double> sizes;
  sizes.reserve(cases.size());
  for (const ComparedRow& each : cases) {
    sizes.push_back(std::abs(each.error()));
    errors.mean += sizes.back() / count;
    errors.bias += each.error() / count;
  }
  std::ranges::sort(sizes);
  errors.median = quantile(sizes, 0.5);
  errors.p90 = quantile(sizes, 0.9);
  errors.most = sizes.back();
  errors.correlation = correlation_of(cases);
  return errors;
}

std::vector<GroupErrors> errors_by_group(std::span<const ComparedRow> cases) {
  std::vector<std::string> names;
  std::vector<std::vector<ComparedRow>> groups;
  for (const ComparedRow& each : cases) {
    const auto found = std::ranges::find(names, each.group);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) {
      names.push_back(each.group);
      groups.emplace_back();
    }
    groups[index].push_back(each);
  }
  std::vector<GroupErrors> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.push_back({names[i], errors_of(groups[i])});
  }
  return result;
}

std::vector<GroupErrors> errors_by_decade(std::span<const ComparedRow> cases) {
  std::vector<GroupErrors> result;
  Seconds from(0.0);
  for (const auto& [below, name] : kDecades) {
    std::vector<ComparedRow> decade;
    std::ranges::copy_if(cases, std::back_inserter(decade), [&](const ComparedRow& each) {
      return each.measured >= from && each.measured < below;
    });
    if (!decade.empty()) {
      result.push_back({name, errors_of(decade)});
    }
    from = below;
  }
  return result;
}

std::vector<ComparedRow> worst_of(std::span<const ComparedRow> cases, std::size_t most) {
  std::vector<ComparedRow> sorted(cases.begin(), cases.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const ComparedRow& each) {
    return std::abs(each.error());
  });
  sorted.resize(std::min(most, sorted.size()));
  return sorted;
}

}  // namespace cairn::validate
