#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "cairn/platform/memory_node.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr double kMemoryNodes = 8.0;
constexpr Watts kDgx{3200.0};  // section V-C: devices are 75 % of it

}  // namespace

void study_power(const McDla& study) {
  const double speedup = study.result.findings.at("speedup.mean.mc_b");
  const auto by_dimm = [](const char* name, const char* title, const char* y, const char* of) {
    return report::Chart{.name = name,
                         .title = title,
                         .kind = report::ChartKind::kGroupedBars,
                         .x = {.title = "DIMM"},
                         .y = {.title = y},
                         .series = {{.name = of}}};
  };
  std::array charts{
      by_dimm("table4_power", "Table IV: power of a memory-node", "power (W)", "memory-node"),
      by_dimm("table4_capacity",
              "Table IV: capacity of a memory-node per watt",
              "capacity per watt (GB/W)",
              "memory-node"),
      by_dimm("table4_efficiency",
              "Section V-C: performance per watt by DIMM",
              "performance per watt over DC-DLA",
              "MC-DLA(B)")};
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
    const std::array values{node.power.si(), gigabytes_per_watt, per_watt};
    for (std::size_t c = 0; c < charts.size(); ++c) {
      charts[c].categories.push_back(key + " GB");
      charts[c].series.front().y.push_back(values[c]);
    }
  }
  study.find("capacity.memory_nodes_terabytes",
             kMemoryNodes * platform::memory_of({}).capacity.si() / 1e12);
  for (report::Chart& chart : charts) {
    study.result.charts.push_back(std::move(chart));
  }
}

}  // namespace cairn::study
