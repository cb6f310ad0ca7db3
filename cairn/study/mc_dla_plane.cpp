// Figure 15, which the paper leaves as future work: data-parallel training over 1 to 128 system
// nodes, on a plane of device-side switches or connected by InfiniBand. Our reading of Fig. 15 is
// in platform/topology/mc_dla_plane.hpp.
//
// Weak scaling: the samples per device are constant. With step time T(s) on s system nodes,
//   scaling efficiency = T(1) / T(s)
// Gradients are reduced by reduce-scatter inside a system node, all-reduce between system nodes and
// all-gather inside, by rings, in one chunk, one layer after the other. Rings take 2(s-1) steps
// between system nodes. With enough trunks for all device traffic, the plane is as fast between
// system nodes as inside, and may use halving-doubling over all n devices instead: the same bytes
// in 2 log2(n) steps. Over InfiniBand that would send all gradients, not a device's part of them.
#include <fmt/format.h>

#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr std::array kSystemNodes{1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U};

// An interconnect of system nodes, with an all-reduce algorithm.
struct Network {
  const char* key;
  const char* name;
  Between between;
  const char* algorithm;
};

constexpr Network kPlane{"plane", "plane", Between::kPlane, "hierarchical"};
constexpr Network kInfiniBand{"infiniband", "InfiniBand", Between::kInfiniBand, "hierarchical"};
constexpr Network kPlaneDoubling{
    "plane_halving_doubling", "plane, halving-doubling", Between::kPlane, "halving_doubling"};

using Times = std::vector<Seconds>;  // by workload

Times step_times(const McDla& study, const Network& network, std::uint32_t system_nodes) {
  const McDlaAssumptions& a = study.runs.assumptions();
  Design system = make_scale_out(network.between, system_nodes, study.runs.device(), a);
  system.machine.collectives =
      comm::reductions_by({.algorithm = comm::find_algorithm(network.algorithm)});
  const std::uint32_t devices = system.platform.device_count();
  // A batch for all devices is scaled, to keep the samples per device of the paper's eight.
  const double of_all = a.batch / kDevices * devices;
  const double batch = a.batch_per == plan::BatchPer::kDevice ? a.batch : of_all;
  std::vector<Case> cases;
  cases.reserve(kWorkloads.size());
  for (std::size_t w = 0; w < kWorkloads.size(); ++w) {
    cases.push_back({.workload = w, .batch = batch, .devices = devices});
  }
  Times times;
  for (const explain::StepResult& result : study.run(cases, system)) {
    times.push_back(result.step_time);
  }
  return times;
}

std::vector<double> ratios(const Times& above, const Times& below) {
  std::vector<double> result;
  result.reserve(above.size());
  for (std::size_t w = 0; w < above.size(); ++w) {
    result.push_back(above[w] / below[w]);
  }
  return result;
}

}  // namespace

void study_plane(const McDla& study) {
  constexpr std::uint32_t kMax = kSystemNodes.back();
  report::Chart by_size{.name = "fig15",
                        .title = "Fig. 15: data-parallel over system nodes, harmonic mean",
                        .kind = report::ChartKind::kLines,
                        .x = {.title = "system nodes", .log = true},
                        .y = {.title = "scaling efficiency"}};
  report::Chart by_network{.name = "fig15_networks",
                           .title = fmt::format("Fig. 15: {} system nodes", kMax),
                           .kind = report::ChartKind::kGroupedBars,
                           .x = {.title = "network"},
                           .y = {.title = "scaling efficiency"}};
  for (const WorkloadName& workload : kWorkloads) {
    by_network.categories.emplace_back(workload.name);
  }
  const Times alone = step_times(study, kPlane, 1);
  const auto add_bars = [&](const Network& network, const Times& times) {
    report::Series bars{.name = network.name, .y = ratios(alone, times)};
    for (std::size_t w = 0; w < kWorkloads.size(); ++w) {
      study.find(fmt::format("plane.efficiency.{}.{}", kWorkloads[w].name, network.key), bars.y[w]);
    }
    by_network.series.push_back(std::move(bars));
  };
  // Returns the times of the largest number of system nodes.
  const auto add_line = [&](const Network& network) {
    report::Series line{.name = network.name};
    Times times;
    for (const std::uint32_t system_nodes : kSystemNodes) {
      times = system_nodes == 1 ? alone : step_times(study, network, system_nodes);
      line.x.push_back(system_nodes);
      line.y.push_back(harmonic_mean(ratios(alone, times)));
      study.find(fmt::format("plane.efficiency.mean.{}.{}", network.key, system_nodes),
                 line.y.back());
    }
    by_size.series.push_back(std::move(line));
    add_bars(network, times);
    return times;
  };
  const Times on_plane = add_line(kPlane);
  const Times by_doubling = step_times(study, kPlaneDoubling, kMax);
  add_bars(kPlaneDoubling, by_doubling);
  const Times over_infiniband = add_line(kInfiniBand);
  study.find("plane.speedup_over_infiniband", harmonic_mean(ratios(over_infiniband, on_plane)));
  study.find("plane.speedup_over_infiniband.halving_doubling",
             harmonic_mean(ratios(over_infiniband, by_doubling)));
  study.result.charts.push_back(std::move(by_size));
  study.result.charts.push_back(std::move(by_network));
}

}  // namespace cairn::study
