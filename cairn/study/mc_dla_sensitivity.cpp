#include <fmt/format.h>

#include <array>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

// Harmonic means of `slow` over `fast`, data- and model-parallel, and their mean.
struct Gap {
  double data = 0.0;
  double model = 0.0;

  [[nodiscard]] double mean() const { return 0.5 * (data + model); }
};

struct Pair {
  const McDla& study;
  Runs& runs;
  const Design& slow;
  const Design& fast;

  [[nodiscard]] Gap over(std::uint32_t devices, double batch, bool only_convolutional) const {
    std::vector<double> data;
    std::vector<double> model;
    for (Case which : paper_cases(devices)) {
      which.batch = batch;
      if (only_convolutional && !kWorkloads[which.workload].convolutional) {
        continue;
      }
      if (study.tick) {
        study.tick();
      }
      const double ratio = runs.run(which, slow).step_time / runs.run(which, fast).step_time;
      (which.parallelism == plan::Parallelism::kData ? data : model).push_back(ratio);
    }
    return {harmonic_mean(data), harmonic_mean(model)};
  }
};

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
    const Gap gap = Pair{study, study.runs, dc, mc}.over(kDevices, batch, false);
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

  McDlaAssumptions gen4 = a;
  gen4.pcie_bandwidth = a.pcie_bandwidth * 2.0;
  const Design dc_gen4 = make_system(System::kDc, device, gen4);
  study.find("gen4.gain",
             Pair{study, study.runs, dc, dc_gen4}.over(kDevices, 0.0, false).mean() - 1.0);
  study.find("gen4.gap", Pair{study, study.runs, dc_gen4, mc}.over(kDevices, 0.0, false).mean());

  Design compressed = dc;
  compressed.memory.compression = {
      .convolution = 2.6, .fully_connected = 2.6, .recurrent = 2.6, .other = 2.6};
  study.find("cdma.gap", Pair{study, study.runs, compressed, mc}.over(kDevices, 0.0, true).mean());

  // A TPUv2 board: 180 Tflop/s, 2.4 TB/s. The paper counts a MAC as one operation (its device of
  // 125 Tflop/s, as a V100's, has 128 TMAC/s), so this one has 180 TMAC/s.
  chip::Device tpu = device;
  tpu.name = "TPUv2-like";
  tpu.array.pes = 1440.0;
  tpu.memory.bandwidth = BytesPerSecond(2.4e12);
  Runs tpu_runs(a, tpu);
  const Design tpu_dc = make_system(System::kDc, tpu, a);
  const Design tpu_mc = make_system(System::kAware, tpu, a);
  study.find("tpu_v2.gap", Pair{study, tpu_runs, tpu_dc, tpu_mc}.over(kDevices, 0.0, false).mean());

  // 16 devices; the host's links are as many per device as before, or shared by twice as many.
  constexpr std::uint32_t kDgx2Devices = 16;
  const Design dgx2_mc = make_system(System::kAware, device, a, kDgx2Devices);
  const Design dgx2_dc = make_system(System::kDc, device, a, kDgx2Devices);
  McDlaAssumptions shared = a;
  shared.devices_per_uplink = 2 * a.devices_per_uplink;
  const Design dgx2_shared = make_system(System::kDc, device, shared, kDgx2Devices);
  study.find("dgx2.gap",
             Pair{study, study.runs, dgx2_dc, dgx2_mc}.over(kDgx2Devices, 0.0, false).mean());
  study.find("dgx2.gap_half_host",
             Pair{study, study.runs, dgx2_shared, dgx2_mc}.over(kDgx2Devices, 0.0, false).mean());
}

}  // namespace cairn::study
