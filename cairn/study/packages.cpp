#include "cairn/study/packages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/comm/algorithm.hpp"
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

platform::Platform connect_packages(const Packages& packages,
                                    BytesPerSecond network,
                                    Seconds latency) {
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
    strategy.order = {Axis::kTensor, Axis::kTensorColumns, Axis::kData, Axis::kPipeline};
    strategies.push_back(strategy);
    if (strategy.tensor_rows > 1 && strategy.tensor_columns > 1) {
      std::swap(strategy.order[0], strategy.order[1]);
      strategies.push_back(std::move(strategy));
    }
  }
  return strategies;
}

std::vector<Seconds> lower_bounds(const Packages& packages,
                                  const DeepFlowAssumptions& assumptions,
                                  const GeneratedChip& chip,
                                  const std::vector<plan::Strategy>& strategies) {
  constexpr double kMaxLinks = 4.0;  // per node of a mesh
  const auto design_with = [&](BytesPerSecond bandwidth) {
    return deepflow_design(
        assumptions, chip.device, around_a_switch(packages.devices, bandwidth, Seconds(0.0)));
  };
  const BytesPerSecond inside_bandwidth = kMaxLinks * packages.bandwidth + chip.network;
  const Design inside = design_with(inside_bandwidth);
  const double rails = assumptions.reductions == comm::kRing.name ? 2.0 : 2.0 * packages.nodes;
  const Design outside = design_with(std::min(inside_bandwidth, rails * chip.network));
  EvaluationCache cache;
  std::vector<Seconds> times;
  for (const plan::Strategy& strategy : strategies) {
    const bool by_columns =
        strategy.tensor_rows == 1 || strategy.order.front() == plan::Axis::kTensorColumns;
    Design tried = (by_columns ? strategy.tensor_columns : strategy.tensor_rows) > packages.nodes
                       ? outside
                       : inside;
    tried.strategy = strategy;
    tried.strategy.order.clear();  // around a switch all orders are equivalent
    const auto step = evaluate(tried, cache, Detail::kTrial);
    times.push_back(step ? step->step_time : Seconds(0.0));
  }
  return times;
}

}  // namespace cairn::study
