#include <fmt/format.h>

#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

// Harmonic means of speedups, data- and model-parallel, and their mean.
struct Gap {
  double data = 0.0;
  double model = 0.0;

  [[nodiscard]] double mean() const { return 0.5 * (data + model); }
};

// The 16 cases on one system.
struct Times {
  std::vector<Case> cases;
  std::vector<explain::StepResult> results;

  // Speedup over `slow`.
  [[nodiscard]] Gap over(const Times& slow, bool only_convolutional = false) const {
    std::vector<double> data;
    std::vector<double> model;
    for (std::size_t c = 0; c < cases.size(); ++c) {
      if (!only_convolutional || kWorkloads[cases[c].workload].convolutional) {
        const bool is_data = cases[c].parallelism == plan::Parallelism::kData;
        (is_data ? data : model).push_back(slow.results[c].step_time / results[c].step_time);
      }
    }
    return {harmonic_mean(data), harmonic_mean(model)};
  }
};

// `batch`: 0 for that of the assumptions.
Times times_on(const McDla& study,
               Runs& runs,
               const Design& system,
               std::uint32_t devices = kDevices,
               double batch = 0.0) {
  Times times{.cases = paper_cases(devices), .results = {}};
  for (Case& which : times.cases) {
    which.batch = batch;
  }
  study.count();
  times.results = runs.run(times.cases, system);
  return times;
}

// Figure 14.
void batch_sweep(const McDla& study, const Design& dc, const Design& mc) {
  constexpr std::array kBatches{128.0, 256.0, 512.0, 1024.0, 2048.0};
  report::Chart chart{.name = "fig14",
                      .title = "Fig. 14: MC-DLA(B) over DC-DLA by batch size",
                      .kind = report::ChartKind::kLines,
                      .x = {.title = "batch (samples)", .log = true},
                      .y = {.title = "speedup over DC-DLA"},
                      .series = {{.name = "data-parallel"}, {.name = "model-parallel"}}};
  std::vector<double> means;
  for (const double batch : kBatches) {
    const Gap gap = times_on(study, study.runs, mc, kDevices, batch)
                        .over(times_on(study, study.runs, dc, kDevices, batch));
    chart.series[0].x.push_back(batch);
    chart.series[0].y.push_back(gap.data);
    chart.series[1].x.push_back(batch);
    chart.series[1].y.push_back(gap.model);
    means.push_back(gap.mean());
  }
  study.find("batch_sweep.mean", arithmetic_mean(means));
  study.find("batch_sweep.least", means.front());
  study.result.charts.push_back(std::move(chart));
}

}  // namespace

void study_sensitivity(const McDla& study) {
  const McDlaAssumptions& a = study.runs.assumptions();
  const chip::Device& device = study.runs.device();
  const Design dc = make_system(System::kDc, device, a);
  const Design mc = make_system(System::kAware, device, a);
  batch_sweep(study, dc, mc);
  const Times on_dc = times_on(study, study.runs, dc);
  const Times on_mc = times_on(study, study.runs, mc);

  McDlaAssumptions gen4 = a;
  gen4.pcie_bandwidth = a.pcie_bandwidth * 2.0;
  const Times on_gen4 = times_on(study, study.runs, make_system(System::kDc, device, gen4));
  study.find("gen4.gain", on_gen4.over(on_dc).mean() - 1.0);
  study.find("gen4.gap", on_mc.over(on_gen4).mean());

  Design compressed = dc;
  compressed.memory.compression = {
      .convolution = 2.6, .fully_connected = 2.6, .recurrent = 2.6, .other = 2.6};
  study.find("cdma.gap", on_mc.over(times_on(study, study.runs, compressed), true).mean());

  // A TPUv2 board: 180 Tflop/s, 2.4 TB/s. The paper counts a MAC as one operation (its device of
  // 125 Tflop/s, like a V100, has 128 TMAC/s), so this one has 180 TMAC/s.
  chip::Device tpu = device;
  tpu.name = "TPUv2-like";
  tpu.cores.count = 1440.0;
  tpu.memory.bandwidth = BytesPerSecond(2.4e12);
  Runs tpu_runs(a, tpu);
  study.find("tpu_v2.gap",
             times_on(study, tpu_runs, make_system(System::kAware, tpu, a))
                 .over(times_on(study, tpu_runs, make_system(System::kDc, tpu, a)))
                 .mean());

  // 16 devices, with the same number of host links per device, or half of them.
  constexpr std::uint32_t kDgx2Devices = 16;
  McDlaAssumptions shared = a;
  shared.devices_per_uplink = 2 * a.devices_per_uplink;
  const auto on_dgx2 = [&](System system, const McDlaAssumptions& under) {
    return times_on(
        study, study.runs, make_system(system, device, under, kDgx2Devices), kDgx2Devices);
  };
  const Times dgx2_mc = on_dgx2(System::kAware, a);
  study.find("dgx2.gap", dgx2_mc.over(on_dgx2(System::kDc, a)).mean());
  study.find("dgx2.gap_half_host", dgx2_mc.over(on_dgx2(System::kDc, shared)).mean());
}

}  // namespace cairn::study
