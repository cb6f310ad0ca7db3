#include <fmt/format.h>

#include <algorithm>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

struct Generation {
  chip::Precision precision = chip::Precision::kFp16;
  Config device{};
};

const Schema<Generation>& schema_of(const Generation*) {
  static const auto kSchema =
      Schema<Generation>("generation", "a device of its year, and its training precision")
          .required("precision", &Generation::precision, "training precision", "fp16")
          .required("device", &Generation::device, "an accelerator", "{name: V100, ...}");
  return kSchema;
}

// Step times of a single device with its own host link, without and with virtualization.
struct Times {
  double plain;
  double offloaded;
};

Times times_on(const McDla& study,
               chip::Precision precision,
               chip::Device device,
               std::size_t workload) {
  constexpr double kBatch = 64.0;
  McDlaAssumptions a = study.runs.assumptions();
  a.precision = precision;
  a.batch = kBatch;
  device.memory.capacity = Bytes::infinity();
  Runs runs(a, device);
  const Case alone{.workload = workload, .devices = 1};
  study.count();
  return {runs.run(alone, make_system(System::kOracle, device, a, 1)).step_time.si(),
          runs.run(alone, make_system(System::kDc, device, a, 1)).step_time.si()};
}

}  // namespace

void study_generations(const McDla& study, const Config& generations) {
  const auto list = read_config<std::vector<Generation>>(generations);
  if (list.empty()) {
    reject(generations, "has no devices (expected at least one, the newest last)");
  }
  report::Chart time{.name = "fig02_time",
                     .title = "Fig. 2: step time on one device, over the newest",
                     .kind = report::ChartKind::kGroupedBars,
                     .x = {.title = "device"},
                     .y = {.title = "step time over that of the newest", .log = true}};
  report::Chart overhead{.name = "fig02_overhead",
                         .title = "Fig. 2: overhead of virtualization over PCIe gen3",
                         .kind = report::ChartKind::kGroupedBars,
                         .x = {.title = "device"},
                         .y = {.title = "time with virtualization over time without"}};
  std::vector<chip::Device> devices;
  for (const Generation& generation : list) {
    devices.push_back(chip::device_of(generation.device));
    if (const auto reason = chip::check_precision(devices.back(), generation.precision)) {
      reject(generation.device, reason->detail);
    }
    time.categories.push_back(devices.back().name);
    overhead.categories.push_back(devices.back().name);
  }
  std::vector<double> fell;
  double first_overhead = 0.0;
  double last_overhead = 0.0;
  for (std::size_t w = 0; w < kWorkloads.size() && kWorkloads[w].convolutional; ++w) {
    report::Series times{.name = std::string(kWorkloads[w].name)};
    report::Series overheads{.name = std::string(kWorkloads[w].name)};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto [plain, offloaded] = times_on(study, list[i].precision, devices[i], w);
      times.y.push_back(plain);
      overheads.y.push_back(offloaded / plain);
    }
    fell.push_back(times.y.front() / times.y.back());
    first_overhead = std::max(first_overhead, overheads.y.front());
    last_overhead = std::max(last_overhead, overheads.y.back());
    const double newest = times.y.back();
    for (double& value : times.y) {
      value /= newest;
    }
    time.series.push_back(std::move(times));
    overhead.series.push_back(std::move(overheads));
  }
  study.find("generations.least", std::ranges::min(fell));
  study.find("generations.most", std::ranges::max(fell));
  study.find("generations.overhead_growth", last_overhead / first_overhead);
  study.result.charts.push_back(std::move(time));
  study.result.charts.push_back(std::move(overhead));
}

}  // namespace cairn::study
