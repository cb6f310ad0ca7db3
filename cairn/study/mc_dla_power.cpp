#include <fmt/format.h>

#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

// DDR4-2400 modules: Table IV, from Samsung's data sheets and Micron's power calculator.
struct Dimm {
  double gigabytes;
  Watts power;
};

constexpr std::array kDimms{Dimm{8, Watts(2.9)},
                            Dimm{16, Watts(6.6)},
                            Dimm{32, Watts(8.7)},
                            Dimm{64, Watts(10.2)},
                            Dimm{128, Watts(12.7)}};

constexpr double kDimmsPerNode = 10.0;  // section III-A
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
  for (const Dimm& dimm : kDimms) {
    const Watts node = dimm.power * kDimmsPerNode;
    const double more = kMemoryNodes * node / kDgx;
    const double per_watt = speedup / (1.0 + more);
    const std::string key = fmt::format("{:g}", dimm.gigabytes);
    study.find("power.node." + key, node.si());
    study.find("power.gigabytes_per_watt." + key, dimm.gigabytes * kDimmsPerNode / node.si());
    study.find("power.increase." + key, more);
    study.find("power.performance_per_watt." + key, per_watt);
    chart.categories.push_back(fmt::format("{:g} GB", dimm.gigabytes));
    chart.series[0].y.push_back(node.si());
    chart.series[1].y.push_back(dimm.gigabytes * kDimmsPerNode / node.si());
    chart.series[2].y.push_back(per_watt);
  }
  study.find("capacity.memory_nodes_terabytes",
             kMemoryNodes * kDimmsPerNode * kDimms.back().gigabytes / 1000.0);
  study.result.charts.push_back(std::move(chart));
}

}  // namespace cairn::study
