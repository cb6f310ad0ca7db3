// Section II-C: 1 to 5 of a device's six links go to the host, whose memory is a Xeon's (80 GB/s),
// a Power9's (120 GB/s), or section IV's for HC-DLA (300 GB/s, the bandwidth of four devices with
// three links each). Harmonic means of speedups over DC-DLA.
#include <fmt/format.h>

#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

constexpr std::array kHostLinks{1U, 2U, 3U, 4U, 5U};
constexpr std::array kSocketMemory{80U, 120U, 300U};  // GB/s
constexpr std::array kParallelisms{plan::Parallelism::kData, plan::Parallelism::kModel};

double mean_speedup(const std::vector<Case>& cases,
                    plan::Parallelism parallelism,
                    const std::vector<explain::StepResult>& slow,
                    const std::vector<explain::StepResult>& fast) {
  std::vector<double> speedups;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (cases[c].parallelism == parallelism) {
      speedups.push_back(slow[c].step_time / fast[c].step_time);
    }
  }
  return harmonic_mean(speedups);
}

}  // namespace

void study_host_links(const McDla& study) {
  const McDlaAssumptions& a = study.runs.assumptions();
  const chip::Device& device = study.runs.device();
  const std::vector<Case> cases = paper_cases();
  const auto of_dc = study.run(cases, make_system(System::kDc, device, a));
  std::array<report::Chart, kParallelisms.size()> charts;
  for (std::size_t p = 0; p < charts.size(); ++p) {
    charts[p] = {.name = fmt::format("host_links_{}", enum_name(kParallelisms[p])),
                 .title = fmt::format("HC-DLA by links to the host, {}-parallel",
                                      enum_name(kParallelisms[p])),
                 .kind = report::ChartKind::kLines,
                 .x = {.title = "links of a device to the host, of six"},
                 .y = {.title = "speedup over DC-DLA"}};
  }
  for (const std::uint32_t socket : kSocketMemory) {
    for (report::Chart& chart : charts) {
      chart.series.push_back({.name = fmt::format("socket memory of {} GB/s", socket)});
    }
    for (const std::uint32_t links : kHostLinks) {
      const auto results =
          study.run(cases, make_host_centric(links, BytesPerSecond(socket * 1e9), device, a));
      for (std::size_t p = 0; p < charts.size(); ++p) {
        const double speedup = mean_speedup(cases, kParallelisms[p], of_dc, results);
        charts[p].series.back().x.push_back(links);
        charts[p].series.back().y.push_back(speedup);
        study.find(fmt::format("host_links.{}.{}.{}", enum_name(kParallelisms[p]), links, socket),
                   speedup);
      }
    }
  }
  for (report::Chart& chart : charts) {
    study.result.charts.push_back(std::move(chart));
  }
}

}  // namespace cairn::study
