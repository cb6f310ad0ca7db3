#include <fmt/format.h>

#include <string>

#include "cairn/platform/memory_node.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr double kMemoryNodes = 8.0;
constexpr Watts kDgx{3200.0};  // section V-C: devices are 75 % of it

}  // namespace

void study_power(const McDla& study) {
  const double speedup = study.result.findings.at("speedup.mean.mc_b");
  report::Chart chart{.name = "table4",
                      .title = "Table IV: memory-nodes by DIMM",
                      .kind = report::ChartKind::kGroupedBars,
                      .y = {.title = "W, GB/W, relative performance per watt"},
                      .series = {{.name = "power of a memory-node (W)"},
                                 {.name = "capacity per watt (GB/W)"},
                                 {.name = "performance per watt over DC-DLA"}}};
  for (const platform::Dimm& dimm : platform::kDimms) {
    const platform::NodeMemory node = platform::memory_of({.dimm = dimm.kind});
    const double more = kMemoryNodes * node.power / kDgx;
    const double gigabytes_per_watt = node.capacity.si() / 1e9 / node.power.si();
    const double per_watt = speedup / (1.0 + more);
    const std::string key = fmt::format("{:g}", dimm.capacity.si() / 1e9);
    study.find("power.node." + key, node.power.si());
    study.find("power.gigabytes_per_watt." + key, gigabytes_per_watt);
    study.find("power.increase." + key, more);
    study.find("power.performance_per_watt." + key, per_watt);
    chart.categories.push_back(key + " GB");
    chart.series[0].y.push_back(node.power.si());
    chart.series[1].y.push_back(gigabytes_per_watt);
    chart.series[2].y.push_back(per_watt);
  }
  study.find("capacity.memory_nodes_terabytes",
             kMemoryNodes * platform::memory_of({}).capacity.si() / 1e12);
  study.result.charts.push_back(std::move(chart));
}

}  // namespace cairn::study
