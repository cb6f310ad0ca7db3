#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/study/deepflow_package.hpp"

namespace cairn::study {

namespace {

void find(const std::string& name, const std::vector<PackageFound>& found, StudyResult& result) {
  const auto text = [](const PackageFound& package) {
    return fmt::format("{:.3f} s by {} with {} nodes per package",
                       package.best.time.si(),
                       package.best.strategy,
                       package.nodes);
  };
  const auto time = [](const PackageFound& package) { return package.best.time; };
  const PackageFound& first = found.front();
  const PackageFound& best = *std::ranges::min_element(found, {}, time);
  for (const PackageFound& package : found) {
    result.findings[fmt::format("gain.{}.{}", name, package.nodes)] =
        first.best.time / package.best.time;
    result.findings[fmt::format("gain_same_chip.{}.{}", name, package.nodes)] =
        first.same_chip.time / package.same_chip.time;
    result.findings[fmt::format("tried.{}.{}", name, package.nodes)] =
        static_cast<double>(package.tried);
  }
  result.findings["most_gain." + name] = first.best.time / best.best.time;
  result.reasons["most_gain." + name] = text(first) + ", " + text(best);
  const auto four = std::ranges::find(found, 4U, &PackageFound::nodes);
  if (four != found.end() && std::next(four) != found.end()) {
    const PackageFound& beyond = *std::ranges::min_element(std::next(four), found.end(), {}, time);
    result.findings["beyond_4." + name] = four->best.time / beyond.best.time;
    result.reasons["beyond_4." + name] = text(*four) + ", " + text(beyond);
  }
}

Table table_of_base(const std::vector<PackageFound>& found) {
  Table base{.name = "packages",
             .title =
                 "Nodes per package: the best strategy and chip; then the best strategy on the "
                 "best chip for one node per package",
             .columns = {"nodes",
                         "step time (s)",
                         "gain",
                         "by",
                         "wait for collectives (s)",
                         "one chip (s)",
                         "gain on it",
                         "by, on it",
                         "strategies tried",
                         "pruned"}};
  for (const PackageFound& package : found) {
    base.rows.push_back({fmt::format("{}", package.nodes),
                         package.best.time.si(),
                         found.front().best.time / package.best.time,
                         package.best.strategy,
                         package.best.communication_exposed.si(),
                         package.same_chip.time.si(),
                         found.front().same_chip.time / package.same_chip.time,
                         package.same_chip.strategy,
                         fmt::format("{}", package.tried),
                         fmt::format("{}", package.pruned)});
  }
  return base;
}

Table table_of_cases(const PackagesFound& found,
                     const std::vector<std::string>& cases,
                     const std::vector<std::uint32_t>& nodes,
                     const Findings& findings) {
  Table table{.name = "cases",
              .title =
                  "Other models and links: step time (s) of the best strategy, on the chip "
                  "found above for that number of nodes",
              .columns = {"case"}};
  for (const std::uint32_t number : nodes) {
    table.columns.push_back(fmt::format("{} in a package", number));
    table.columns.push_back(fmt::format("by, of {}", number));
  }
  table.columns.emplace_back("most gain");
  for (const std::string& name : cases) {
    std::vector<Cell> row{name};
    for (const PackageFound& package : found.at(name)) {
      row.emplace_back(package.best.time.si());
      row.emplace_back(package.best.strategy);
    }
    row.emplace_back(findings.at("most_gain." + name));
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Chart chart_of_base(const std::vector<PackageFound>& found) {
  report::Chart chart{.name = "fig11",
                      .title = "Speedup by several nodes per package",
                      .kind = report::ChartKind::kGroupedBars,
                      .x = {.title = "nodes per package"},
                      .y = {.title = "speedup over one node per package"},
                      .categories = {}};
  report::Series own{.name = "strategy and chip"};
  report::Series same{.name = "strategy"};
  for (const PackageFound& package : found) {
    chart.categories.push_back(fmt::format("{}", package.nodes));
    own.y.push_back(found.front().best.time / package.best.time);
    same.y.push_back(found.front().same_chip.time / package.same_chip.time);
  }
  chart.series = {std::move(own), std::move(same)};
  return chart;
}

}  // namespace

StudyResult packages_found(const PackagesFound& found,
                           const std::vector<std::string>& cases,
                           const std::vector<std::uint32_t>& nodes) {
  StudyResult result{.name = "deepflow-package"};
  for (const auto& [name, packages] : found) {
    find(name, packages, result);
  }
  result.absent["most_gain."] = "cases does not list it";
  result.absent["beyond_4."] = "the case is not listed, or has no 4 nodes per package and more";
  result.absent["gain."] = "the case or number of nodes per package is not listed";
  const std::vector<PackageFound>& base = found.at(kBaseCase);
  result.tables = {table_of_base(base), table_of_cases(found, cases, nodes, result.findings)};
  result.charts = {chart_of_base(base)};
  return result;
}

}  // namespace cairn::study
