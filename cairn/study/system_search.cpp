#include "cairn/study/system_search.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/chip/generate.hpp"
#include "cairn/chip/generated_device.hpp"

namespace cairn::study {

Feasible<GeneratedChip> SystemSearch::make(const chip::Template& design) const {
  const auto chip = chip::generate(design);
  if (!chip) {
    return chip.reason();
  }
  GeneratedChip made{chip::device_of(*chip, design), options_.network};
  made.device.launch = assumptions_.launch;
  if (options_.links == Links::kChip) {
    if (!made.device.links) {
      return Infeasible{Lack::kPackageLinks, "the chip has no links to other packages"};
    }
    made.network = *made.device.links;
  }
  return made;
}

GeneratedChip SystemSearch::make_first(const chip::Template& design,
                                       const std::string& node) const {
  auto made = make(design);
  if (!made) {
    throw ConfigError(assumptions_.where(),
                      fmt::format("the chip is infeasible at {}: {}: {}",
                                  node,
                                  made.reason().limit(),
                                  made.reason().detail));
  }
  if (const auto reason = chip::check_precision(made->device, assumptions_.precision)) {
    throw ConfigError(assumptions_.where("precision"), reason->detail);
  }
  return std::move(made).value();
}

Design SystemSearch::design_on(const GeneratedChip& chip) const {
  return deepflow_design(assumptions_, chip.device, options_.connect(chip.network));
}

Ranked SystemSearch::rank(const GeneratedChip& chip,
                          const std::vector<plan::Strategy>& strategies,
                          const std::vector<Seconds>& bounds) const {
  Ranked ranked = study::rank(design_on(chip), strategies, *cache_, tick_, bounds);
  if (ranked.strategies.empty()) {
    const InfeasibleStrategy& first = ranked.infeasible.front();
    throw ConfigError(assumptions_.where("batch"),
                      fmt::format("no strategy is feasible: {}: {}", first.strategy, first.reason));
  }
  return ranked;
}

std::optional<Seconds> SystemSearch::time_of(const chip::Template& design,
                                             const plan::Strategy& strategy,
                                             const platform::Platform& platform) const {
  const auto made = make(design);
  if (!made) {
    return std::nullopt;
  }
  Design tried =
      deepflow_design(assumptions_,
                      made->device,
                      options_.links == Links::kChip ? options_.connect(made->network) : platform);
  tried.strategy = strategy;
  const auto step = evaluate(tried, *cache_, Detail::kTrial);
  return step ? std::optional(step->step_time) : std::nullopt;
}

SearchedSystem SystemSearch::improve(const chip::Template& design,
                                     const SearchedSystem& first,
                                     const ChipSearch& how,
                                     const BestOn& best_on,
                                     chip::Template* found) const {
  const ChipShares shares(design, options_.links == Links::kChip);
  const platform::Platform platform = options_.connect(first.chip.network);
  search::Point point = shares.start();
  SearchedSystem best = first;
  for (std::uint32_t round = 0; round < how.rounds; ++round) {
    const plan::Strategy strategy = best.best.how;
    const FoundChip chip = search_chip(
        shares,
        point,
        how,
        [&](const chip::Template& tried) { return time_of(tried, strategy, platform); },
        tick_);
    if (chip.time >= best.best.time) {
      break;
    }
    point = chip.shares;
    const std::string before = best.best.strategy;
    best.chip = make(shares.at(point)).value();
    best.best = best_on(best.chip);
    if (best.best.strategy == before) {
      break;
    }
  }
  if (found != nullptr) {
    *found = shares.at(point);
  }
  return best;
}

}  // namespace cairn::study
