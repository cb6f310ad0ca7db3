// Figures of ACE's results, with the paper's numbers marked beside ours.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/ace_run.hpp"
#include "cairn/study/published.hpp"

namespace cairn::study {

namespace {

class Figures {
 public:
  Figures(const AceFile& file, StudyResult& result) : file_(file), result_(result) {}

  void add() {
    add_speedups();
    add_needs();
    add_loop();
    add_slowdowns();
    const AceEngineSweep& engine = file_.engine;
    marks_.push_back({"engine_sizing_64",
                      cairn::to_text(engine.published_sram),
                      fmt::format("{}", engine.published_fsms),
                      "sizing.64.published"});
    mark_published(result_, marks_);
  }

 private:
  // Adds a finding to the last series of `chart`.
  void add_value(report::Chart& chart, const std::string& at, const std::string& quantity) {
    chart.series.back().y.push_back(result_.findings.at(quantity));
    marks_.push_back({chart.name, chart.series.back().name, at, quantity});
  }

  void add_speedups() {
    report::Chart chart{.name = "speedups",
                        .title = "ACE over the best baseline",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "step speed and network bandwidth"},
                        .y = {.title = "ACE over the best baseline"}};
    for (const auto& [key, name] :
         {std::pair("mean", "average of all sizes"), std::pair("max", "most")}) {
      chart.categories = file_.workloads.keys;
      chart.series.push_back({.name = name});
      for (const std::string& workload : file_.workloads.keys) {
        add_value(chart, workload, fmt::format("speedup.{}.{}", workload, key));
      }
      chart.categories.emplace_back("network bandwidth");
      add_value(chart, chart.categories.back(), fmt::format("network.gain.{}", key));
    }
    result_.charts.push_back(std::move(chart));
  }

  void add_needs() {
    report::Chart chart{.name = "memory_needed",
                        .title = "Memory bandwidth for the network bandwidth of an ideal endpoint",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "NPUs"},
                        .y = {.title = "memory bandwidth (GB/s)"},
                        .categories = npus()};
    for (const char* executor : {"cores", "engine"}) {
      chart.series.push_back({.name = executor});
      for (const std::string& size : chart.categories) {
        add_value(chart, size, fmt::format("need.{}.{}", size, executor));
      }
    }
    result_.charts.push_back(std::move(chart));
  }

  void add_loop() {
    report::Chart chart{.name = "loop_gain",
                        .title = file_.loop.workload + ": speedup by background tables",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "NPUs"},
                        .y = {.title = "step time, foreground over background"},
                        .categories = npus()};
    std::vector<std::string> configurations = file_.configurations.keys;
    configurations.emplace_back(kIdeal);
    for (const std::string& configuration : configurations) {
      if (!result_.findings.contains(
              fmt::format("loop.gain.{}.{}", chart.categories.front(), configuration))) {
        continue;
      }
      chart.series.push_back({.name = configuration});
      for (const std::string& size : chart.categories) {
        add_value(chart, size, fmt::format("loop.gain.{}.{}", size, configuration));
      }
    }
    result_.charts.push_back(std::move(chart));
  }

  void add_slowdowns() {
    report::Chart chart{.name = "slowed",
                        .title = "Slowdown of an all-reduce on cores beside a kernel, maximum",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "kernel"},
                        .y = {.title = "time over time alone"},
                        .categories = {"GEMM", "look-up"},
                        .series = {{.name = "all-reduce"}}};
    add_value(chart, "GEMM", "slowed.gemm.most");
    add_value(chart, "look-up", "slowed.look_up.most");
    result_.charts.push_back(std::move(chart));
  }

  [[nodiscard]] std::vector<std::string> npus() const {
    std::vector<std::string> sizes;
    for (const Dims& dims : file_.sizes) {
      sizes.push_back(std::to_string(count(dims)));
    }
    return sizes;
  }

  const AceFile& file_;
  StudyResult& result_;
  std::vector<Mark> marks_;
};

}  // namespace

void add_figures(const AceFile& file, StudyResult& result) {
  Figures(file, result).add();
}

}  // namespace cairn::study
