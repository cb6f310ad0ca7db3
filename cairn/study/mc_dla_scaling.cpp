#include <fmt/format.h>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

// Throughput (samples/s) on n devices over one, data-parallel convolutional networks.
void study_scaling(const McDla& study) {
  const McDlaAssumptions& a = study.runs.assumptions();
  const chip::Device& device = study.runs.device();
  report::Chart chart{.name = "scaling",
                      .title = "Section V-D: data-parallel convolutional networks",
                      .kind = report::ChartKind::kLines,
                      .x = {.title = "devices"},
                      .y = {.title = "throughput over one device"}};
  const std::array series{std::pair("without virtualization", System::kOracle),
                          std::pair("DC-DLA", System::kDc),
                          std::pair("MC-DLA(B)", System::kAware)};
  const std::array keys{"oracle", "dc", "mc_b"};
  for (std::size_t s = 0; s < series.size(); ++s) {
    report::Series line{.name = series[s].first};
    std::vector<double> alone;
    for (const std::uint32_t devices : {1U, 4U, 8U}) {
      const Design system = make_system(series[s].second, device, a, devices);
      std::vector<double> gains;
      for (std::size_t w = 0; w < kWorkloads.size() && kWorkloads[w].convolutional; ++w) {
        const auto result = study.run({.workload = w, .devices = devices}, system);
        const double rate = result.batch / result.step_time.si();
        if (devices == 1) {
          alone.push_back(rate);
        }
        gains.push_back(rate / alone[w]);
      }
      line.x.push_back(devices);
      line.y.push_back(harmonic_mean(gains));
      if (devices > 1) {
        study.find(fmt::format("scaling.{}.{}", keys[s], devices), line.y.back());
      }
    }
    chart.series.push_back(std::move(line));
  }
  study.result.charts.push_back(std::move(chart));
}

}  // namespace cairn::study
