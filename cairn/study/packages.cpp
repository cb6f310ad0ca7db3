#include "cairn/study/packages.hpp"

#include <cmath>
#include <utility>

#include "cairn/platform/topology/grid.hpp"
#include "cairn/platform/topology/islands.hpp"

namespace cairn::study {

namespace {

std::vector<std::uint64_t> nearly_square(std::uint32_t nodes) {
  auto rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(nodes)));
  while (nodes % rows != 0) {
    --rows;
  }
  return {nodes / rows, rows};
}

}  // namespace

platform::Platform joined(const Packages& packages, BytesPerSecond network, Seconds latency) {
  if (packages.nodes == 1) {
    return around_a_switch(packages.devices, network, latency);
  }
  if (packages.outside == Outside::kPackage) {
    network = network / static_cast<double>(packages.nodes);
  }
  return platform::topology::join_islands(
      packages.inside == Inside::kSwitch
          ? around_a_switch(packages.nodes, packages.bandwidth, packages.latency)
          : platform::topology::make_mesh({.dims = nearly_square(packages.nodes),
                                           .bandwidth = {packages.bandwidth},
                                           .latency = {packages.latency}}),
      around_a_switch(packages.devices / packages.nodes, network, latency));
}

std::vector<plan::Strategy> strategies_in(const Packages& packages,
                                          const DeepFlowAssumptions& assumptions) {
  using plan::Axis;
  std::vector<plan::Strategy> strategies;
  for (plan::Strategy strategy :
       all_strategies(packages.devices, {1}, 1, deepflow_design(assumptions, {}, {}).strategy)) {
    if (packages.nodes == 1) {
      strategies.push_back(std::move(strategy));
      continue;
    }
    strategy.order = {Axis::kKernel1, Axis::kKernel2, Axis::kData, Axis::kStage};
    strategies.push_back(strategy);
    if (strategy.kernel1 > 1 && strategy.kernel2 > 1) {
      std::swap(strategy.order[0], strategy.order[1]);
      strategies.push_back(std::move(strategy));
    }
  }
  return strategies;
}

std::vector<Seconds> least_times(const Packages& packages,
                                 const DeepFlowAssumptions& assumptions,
                                 const MadeChip& chip,
                                 const std::vector<plan::Strategy>& strategies) {
  constexpr double kMostLinks = 4.0;  // of a node of a mesh
  const auto joined_at = [&](BytesPerSecond all) {
    return deepflow_design(
        assumptions, chip.device, around_a_switch(packages.devices, all, Seconds(0.0)));
  };
  const Design inside = joined_at(kMostLinks * packages.bandwidth + chip.network);
  const Design outside = joined_at(2.0 * chip.network);
  EvaluationCache cache;
  std::vector<Seconds> times;
  for (const plan::Strategy& strategy : strategies) {
    const bool by_columns = strategy.kernel1 == 1 || strategy.order.front() == plan::Axis::kKernel2;
    Design tried =
        (by_columns ? strategy.kernel2 : strategy.kernel1) > packages.nodes ? outside : inside;
    tried.strategy = strategy;
    tried.strategy.order.clear();  // around a switch all are the same
    const auto step = evaluate(tried, cache, Detail::kTrial);
    times.push_back(step ? step->step_time : Seconds(0.0));
  }
  return times;
}

}  // namespace cairn::study
