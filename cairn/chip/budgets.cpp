#include "cairn/chip/budgets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cairn/base/quantity_text.hpp"

namespace cairn::chip {

namespace {

// The budgets of the die that shares refer to.
struct Totals {
  SquareMetres area{};
  Watts power{};
  Metres perimeter{};
};

Totals totals_of(const Template& design) {
  return {design.chip_area, design.power, Metres(4.0 * std::sqrt(design.chip_area.si()))};
}

// Shares refer to the budgets after the engine, which uses no perimeter.
Totals without_engine(Totals totals, const Template& design) {
  if (const auto& engine = design.fabric.engine) {
    totals.area -= engine->area();
    totals.power -= engine->power();
  }
  return totals;
}

std::optional<Infeasible> check_engine(const Template& design) {
  const auto& engine = design.fabric.engine;
  const auto reason = [](const char* budget, const auto& needs, const auto& all) {
    return Infeasible{
        Lack::kChip,
        fmt::format("the engine needs {}, the budget is {}", to_text(needs), to_text(all)),
        needs / all - 1.0,
        budget};
  };
  if (engine && engine->area() >= design.chip_area) {
    return reason("area", engine->area(), design.chip_area);
  }
  if (engine && engine->power() >= design.power) {
    return reason("power", engine->power(), design.power);
  }
  return std::nullopt;
}

Use use_of(const CollectivesEngine& engine) {
  return {.component = kEngineName,
          .area = {.given = engine.area(), .used = engine.area()},
          .power = {.given = engine.power(), .used = engine.power()},
          .size_limited_by = Limit::kAsWritten,
          .speed_limited_by = Limit::kAsWritten};
}

Use use_of(const std::string& component, const Shares& shares, const Totals& totals) {
  return {.component = component,
          .absent = shares.area == 0.0 && shares.power == 0.0 && shares.perimeter == 0.0,
          .area = {.given = totals.area * shares.area},
          .power = {.given = totals.power * shares.power},
          .perimeter = {.given = totals.perimeter * shares.perimeter}};
}

std::optional<Infeasible> check_shares(const std::vector<Use>& uses, const Totals& totals) {
  Totals sum{};
  for (const Use& use : uses) {
    sum.area += use.area.given;
    sum.power += use.power.given;
    sum.perimeter += use.perimeter.given;
  }
  const auto reason = [](const char* budget, double parts) {
    return Infeasible{Lack::kChip,
                      fmt::format("shares add up to {:.4g} (expected at most 1)", parts),
                      parts - 1.0,
                      budget};
  };
  if (sum.area / totals.area > kMaxShareSum) {
    return reason("area", sum.area / totals.area);
  }
  if (sum.power / totals.power > kMaxShareSum) {
    return reason("power", sum.power / totals.power);
  }
  if (sum.perimeter / totals.perimeter > kMaxShareSum) {
    return reason("perimeter", sum.perimeter / totals.perimeter);
  }
  return std::nullopt;
}

std::optional<Infeasible> check_package(const Template& design) {
  if (design.package_area < design.chip_area) {
    return Infeasible{Lack::kPackageArea,
                      fmt::format("{} is less than the chip area of {}",
                                  to_text(design.package_area),
                                  to_text(design.chip_area)),
                      design.chip_area / design.package_area - 1.0};
  }
  if (design.package && design.package_area > design.package->largest_area) {
    return Infeasible{Lack::kPackageArea,
                      fmt::format("{} exceeds the package technology's maximum of {}",
                                  to_text(design.package_area),
                                  to_text(design.package->largest_area)),
                      design.package_area / design.package->largest_area - 1.0};
  }
  return std::nullopt;
}

// One per component with shares, in the order of allocate_budgets.
std::vector<Use> uses_of(const Template& design, const Totals& totals) {
  std::vector<Use> uses;
  uses.reserve(design.levels.size() + 5);
  uses.push_back(use_of("core", design.core.shares, totals));
  for (const LevelTemplate& level : design.levels) {
    uses.push_back(use_of(level.name, level.shares, totals));
  }
  uses.push_back(use_of("main_memory", design.main_memory.shares, totals));
  if (design.intra_package) {
    uses.push_back(use_of("intra_package", design.intra_package->shares, totals));
  }
  if (design.inter_package) {
    uses.push_back(use_of("inter_package", design.inter_package->shares, totals));
  }
  return uses;
}

}  // namespace

Feasible<std::vector<Use>> allocate_budgets(const Template& design) {
  if (const auto infeasible = check_engine(design)) {
    return *infeasible;
  }
  const Totals totals = without_engine(totals_of(design), design);
  std::vector<Use> uses = uses_of(design, totals);
  if (const auto infeasible = check_shares(uses, totals)) {
    return *infeasible;
  }
  if (const auto infeasible = check_package(design)) {
    return *infeasible;
  }
  if (design.fabric.engine) {
    uses.push_back(use_of(*design.fabric.engine));
  }
  return uses;
}

Budgets budgets_of(const std::vector<Use>& uses, const Template& design, double memory_devices) {
  const Totals totals = totals_of(design);
  Budgets budgets{.area = {.given = totals.area},
                  .power = {.given = totals.power},
                  .perimeter = {.given = totals.perimeter},
                  .package_area = {.given = design.package_area}};
  for (const Use& use : uses) {
    budgets.area.used += use.area.used;
    budgets.power.used += use.power.used;
    budgets.perimeter.used += use.perimeter.used;
  }
  budgets.package_area.used = design.chip_area + design.main_memory.memory.area * memory_devices;
  return budgets;
}

}  // namespace cairn::chip
