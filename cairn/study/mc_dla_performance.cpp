#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

using explain::StepResult;

constexpr std::array<const char*, kSystems.size()> kKeys{
    "dc", "hc", "mc_s", "mc_l", "mc_b", "oracle"};

std::size_t index(System system) {
  return static_cast<std::size_t>(system);
}

// One case on all systems.
struct Row {
  Case which;
  std::vector<StepResult> on;  // by system

  [[nodiscard]] double time(System system) const { return on[index(system)].step_time.si(); }

  // Over DC-DLA.
  [[nodiscard]] double speedup(System system) const { return time(System::kDc) / time(system); }
};

// Figure 11: compute, synchronization and virtualization without overlap, over the workload's
// highest bar.
report::Chart breakdown_chart(const std::vector<Row>& rows, const char* name, const char* title) {
  report::Chart chart{
      .name = name,
      .title = title,
      .kind = report::ChartKind::kStackedBars,
      .x = {.title = "network and system"},
      .y = {.title = "time without overlap (highest = 1)"},
      .series = {{.name = "compute"}, {.name = "communication"}, {.name = "memory"}}};
  for (const Row& row : rows) {
    double highest = 0.0;
    for (const StepResult& result : row.on) {
      const explain::Breakdown& b = result.breakdown;
      highest = std::max(highest, (b.compute + b.communication + b.memory).si());
    }
    for (const System system : kSystems) {
      const explain::Breakdown& b = row.on[index(system)].breakdown;
      chart.categories.push_back(
          fmt::format("{} {}", kWorkloads[row.which.workload].name, to_text(system)));
      chart.series[0].y.push_back(b.compute.si() / highest);
      chart.series[1].y.push_back(b.communication.si() / highest);
      chart.series[2].y.push_back(b.memory.si() / highest);
    }
    chart.categories.emplace_back();
    for (report::Series& series : chart.series) {
      series.y.push_back(NAN);
    }
  }
  return chart;
}

// Figure 13: speedup over DC-DLA.
report::Chart speedup_chart(const std::vector<Row>& rows, const char* name, const char* title) {
  report::Chart chart{.name = name,
                      .title = title,
                      .kind = report::ChartKind::kGroupedBars,
                      .x = {.title = "network"},
                      .y = {.title = "speedup over DC-DLA"}};
  for (const Row& row : rows) {
    chart.categories.emplace_back(kWorkloads[row.which.workload].name);
  }
  chart.categories.emplace_back("harmonic mean");
  for (const System system : kSystems) {
    report::Series series{.name = std::string(to_text(system))};
    for (const Row& row : rows) {
      series.y.push_back(row.speedup(system));
    }
    series.y.push_back(harmonic_mean(series.y));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Utilization of the socket memory's bandwidth by transfers, over the whole step.
double socket_use(const StepResult& result) {
  double most = 0.0;
  for (const explain::ResourceUse& use : result.resources) {
    if (use.kind == comm::ResourceKind::kHostMemory) {
      most = std::max(most, use.utilization);
    }
  }
  return most;
}

// The same over the time that transfers take alone, without waiting. Lower than the utilization
// over the step if transfers alone take longer than the step.
double socket_use_in_transfers(const StepResult& result) {
  const explain::Breakdown& b = result.breakdown;
  return b.memory > Seconds(0.0) ? socket_use(result) * (result.step_time / b.memory) : 0.0;
}

// Figure 12.
void study_socket_bandwidth(const McDla& study, const std::vector<Row>& rows) {
  report::Chart chart{.name = "fig12",
                      .title = "Fig. 12: CPU memory bandwidth utilization",
                      .kind = report::ChartKind::kGroupedBars,
                      .x = {.title = "network and parallelism"},
                      .y = {.title = "utilization of a socket's memory bandwidth"},
                      .series = {{.name = "DC-DLA average"},
                                 {.name = "DC-DLA, of transfers alone"},
                                 {.name = "HC-DLA average"},
                                 {.name = "HC-DLA, of transfers alone"}}};
  double most = 0.0;
  for (const Row& row : rows) {
    chart.categories.push_back(fmt::format(
        "{} {}", kWorkloads[row.which.workload].name, enum_name(row.which.parallelism)));
    const StepResult& dc = row.on[index(System::kDc)];
    const StepResult& hc = row.on[index(System::kHc)];
    chart.series[0].y.push_back(socket_use(dc));
    chart.series[1].y.push_back(socket_use_in_transfers(dc));
    chart.series[2].y.push_back(socket_use(hc));
    chart.series[3].y.push_back(socket_use_in_transfers(hc));
    most = std::max(most, socket_use(hc));
  }
  study.find("socket.hc.highest_average", most);
  study.find("socket.mc.highest_average", socket_use(rows.front().on[index(System::kAware)]));
  study.result.charts.push_back(std::move(chart));
}

std::vector<Row> rows_of(const std::vector<Row>& rows, plan::Parallelism parallelism) {
  std::vector<Row> some;
  std::ranges::copy_if(rows, std::back_inserter(some), [&](const Row& row) {
    return row.which.parallelism == parallelism;
  });
  return some;
}

template <class Value>
std::vector<double> over(const std::vector<Row>& rows, Value value) {
  std::vector<double> values;
  values.reserve(rows.size());
  std::ranges::transform(rows, std::back_inserter(values), value);
  return values;
}

void study_ratios(const McDla& study, const std::vector<Row>& rows) {
  const auto of_oracle =
      over(rows, [](const Row& r) { return r.time(System::kOracle) / r.time(System::kAware); });
  study.find("mc_b_of_oracle.mean", harmonic_mean(of_oracle));
  study.find("mc_b_of_oracle.least", std::ranges::min(of_oracle));
  study.find("mc_b_of_oracle.most", std::ranges::max(of_oracle));
  study.find("mc_l_of_mc_b", harmonic_mean(over(rows, [](const Row& r) {
               return r.time(System::kAware) / r.time(System::kLocal);
             })));
  const auto star =
      over(rows, [](const Row& r) { return r.time(System::kAware) / r.time(System::kStar); });
  study.find("mc_s_loss.mean", 1.0 - harmonic_mean(star));
  study.find("mc_s_loss.most", 1.0 - std::ranges::min(star));

  const auto bound = over(rows, [](const Row& r) {
    const explain::Breakdown& b = r.on[index(System::kDc)].breakdown;
    return b.memory > b.compute && b.memory > b.communication ? 1.0 : 0.0;
  });
  study.find("dc.cases_bound_by_virtualization", std::accumulate(bound.begin(), bound.end(), 0.0));
  study.find("hc.virtualization_cut", arithmetic_mean(over(rows, [](const Row& r) {
               return 1.0 - r.on[index(System::kHc)].breakdown.memory /
                                r.on[index(System::kDc)].breakdown.memory;
             })));
  study.find("hc.synchronization_increase", arithmetic_mean(over(rows, [](const Row& r) {
               return r.on[index(System::kHc)].breakdown.communication /
                          r.on[index(System::kDc)].breakdown.communication -
                      1.0;
             })));
}

}  // namespace

double harmonic_mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += 1.0 / value;
  }
  return static_cast<double>(values.size()) / sum;
}

double arithmetic_mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void study_performance(const McDla& study) {
  const std::vector<Case> cases = paper_cases();
  std::vector<Row> rows;
  rows.reserve(cases.size());
  for (const Case& which : cases) {
    rows.push_back({.which = which, .on = {}});
  }
  for (const System system : kSystems) {
    const Design design = make_system(system, study.runs.device(), study.runs.assumptions());
    auto results = study.run(cases, design);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      rows[c].on.push_back(std::move(results[c]));
    }
  }
  std::array<double, kSystems.size()> mean{};
  for (const auto parallelism : {plan::Parallelism::kData, plan::Parallelism::kModel}) {
    const std::vector<Row> some = rows_of(rows, parallelism);
    const bool data = parallelism == plan::Parallelism::kData;
    for (const System system : kSystems) {
      const double speedup =
          harmonic_mean(over(some, [&](const Row& row) { return row.speedup(system); }));
      study.find(fmt::format("speedup.{}.{}", enum_name(parallelism), kKeys[index(system)]),
                 speedup);
      mean[index(system)] += 0.5 * speedup;
    }
    study.result.charts.push_back(breakdown_chart(
        some,
        data ? "fig11a" : "fig11b",
        data ? "Fig. 11(a): time breakdown, data-parallel" : "Fig. 11(b): model-parallel"));
    study.result.charts.push_back(speedup_chart(
        some,
        data ? "fig13a" : "fig13b",
        data ? "Fig. 13(a): data-parallel training" : "Fig. 13(b): model-parallel training"));
  }
  for (const System system : kSystems) {
    study.find(fmt::format("speedup.mean.{}", kKeys[index(system)]), mean[index(system)]);
  }
  study.find("order_of_systems", std::ranges::is_sorted(mean) ? 1.0 : 0.0);
  study_ratios(study, rows);
  study_socket_bandwidth(study, rows);
}

}  // namespace cairn::study
