#include "cairn/explore/spreads.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::explore {

namespace {

std::vector<std::uint32_t> divisors(std::uint32_t number) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t d = 1; d <= number; ++d) {
    if (number % d == 0) {
      all.push_back(d);
    }
  }
  return all;
}

bool has_second_axis(plan::Parallelism kind) {
  return kind == plan::Parallelism::kRowColumn;
}

}  // namespace

std::vector<std::string> all_spreads(std::uint32_t devices,
                                     const std::vector<plan::Parallelism>& kinds,
                                     const std::vector<std::uint32_t>& stages) {
  std::vector<std::string> all;
  const auto add = [&](plan::Strategy strategy) {
    const auto mesh = plan::make_mesh(strategy, devices);
    if (!mesh) {
      return;
    }
    std::string text = plan::notation(strategy, *mesh);
    if (std::ranges::find(all, text) == all.end()) {
      all.push_back(std::move(text));
    }
  };
  for (const std::uint32_t stage_count : stages.empty() ? divisors(devices) : stages) {
    if (devices % stage_count != 0) {
      continue;
    }
    const std::uint32_t of_stage = devices / stage_count;
    for (const plan::Parallelism kind : kinds) {
      if (kind == plan::Parallelism::kData) {
        add({.parallelism = kind, .data = of_stage, .stages = stage_count});
        continue;
      }
      for (const std::uint32_t first : divisors(of_stage)) {
        for (const std::uint32_t second :
             has_second_axis(kind) ? divisors(of_stage / first) : std::vector<std::uint32_t>{1}) {
          if (first * second == 1) {
            add({.data = of_stage, .stages = stage_count});
            continue;
          }
          add({.parallelism = kind,
               .tensor_rows = first,
               .tensor_columns = second,
               .data = of_stage / first / second,
               .stages = stage_count});
        }
      }
    }
  }
  return all;
}

SpreadChoices spread_choices(const DeviceCounts& counts,
                             const std::vector<plan::Parallelism>& kinds,
                             const std::vector<std::uint32_t>& stages) {
  SpreadChoices result;
  std::map<std::uint32_t, std::vector<double>> of_count;
  search::Restriction restriction{.axes = counts.axes};
  for (const auto& [values, devices] : counts.by_values) {
    const auto [fitting, is_new] = of_count.try_emplace(devices);
    for (std::string& text :
         is_new ? all_spreads(devices, kinds, stages) : std::vector<std::string>{}) {
      fitting->second.push_back(static_cast<double>(result.strategies.size()));
      result.strategies.push_back(std::move(text));
    }
    restriction.choices[values] = fitting->second;
  }
  if (of_count.size() > 1) {
    result.restriction = std::move(restriction);
  }
  return result;
}

}  // namespace cairn::explore
