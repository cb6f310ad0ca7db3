// Training steps on ACE's platforms, by endpoint of the collectives.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cairn/study/ace_run.hpp"

namespace cairn::study {

namespace {

constexpr const char* kAce = "ace";

class Steps {
 public:
  Steps(const AceFile& file,
        const AceAssumptions& assumptions,
        const AceRunner& runner,
        StudyResult& result)
      : file_(file),
        assumptions_(assumptions),
        runner_(runner),
        result_(result),
        configurations_(runner.configurations()) {}

  void run() {
    for (const std::string& name : file_.workloads.keys) {
      run_workload(name);
    }
    find_network();
    add_overlap();
  }

 private:
  void find(const std::string& name, double value) { result_.findings[name] = value; }

  void run_workload(const std::string& name) {
    Table table{.name = "steps_" + name,
                .title = fmt::format("{}: step time and exposed communication (ms)", name),
                .columns = {"NPUs"}};
    report::Chart chart{.name = table.name,
                        .title = name + ": step time",
                        .x = {.title = "NPUs"},
                        .y = {.title = "time (ms)"}};
    for (const AceConfiguration& configuration : configurations_) {
      table.columns.push_back(configuration.name);
      table.columns.emplace_back("exposed");
      chart.series.push_back({.name = configuration.name});
    }
    table.columns.emplace_back("ACE speed-up");
    table.columns.emplace_back("ACE of ideal");
    std::vector<double> speedups;
    for (const Dims& dims : file_.sizes) {
      const std::uint32_t npus = count(dims);
      std::vector<Cell> row{std::to_string(npus)};
      std::map<std::string, AceRun> runs;
      for (std::size_t c = 0; c < configurations_.size(); ++c) {
        const AceConfiguration& configuration = configurations_[c];
        const AceRun& run = runs[configuration.name] =
            runner_.run({.workload = name,
                         .dims = dims,
                         .configuration = configuration,
                         .lookups = assumptions_.lookups,
                         .with_overlap = configuration.name == kAce});
        const std::string of = fmt::format("{}.{}.{}", name, npus, configuration.name);
        find("step." + of, run.step);
        find("exposed." + of, run.exposed);
        find("network." + of, run.driven);
        find("communicating." + of, run.communicating);
        if (run.overlap) {
          find("busy.forward." + of, run.overlap->forward);
          find("busy.backward." + of, run.overlap->backward);
        }
        row.emplace_back(run.step);
        row.emplace_back(run.exposed);
        chart.series[c].x.push_back(npus);
        chart.series[c].y.push_back(run.step);
      }
      const AceRun* best = nullptr;
      for (const auto& [which, run] : runs) {
        if (which != kAce && which != kIdeal && (best == nullptr || run.step < best->step)) {
          best = &run;
        }
      }
      const AceRun& ace = runs.at(kAce);
      speedups.push_back(best->step / ace.step);
      network_gains_.push_back(ace.driven / best->driven);
      of_ideal_.push_back(runs.at(kIdeal).step / ace.step);
      find(fmt::format("speedup.{}.{}", name, npus), speedups.back());
      find(fmt::format("ace_of_ideal.{}.{}", name, npus), of_ideal_.back());
      row.emplace_back(speedups.back());
      row.emplace_back(of_ideal_.back());
      table.rows.push_back(std::move(row));
    }
    find("speedup." + name + ".mean", mean(speedups));
    find("speedup." + name + ".max", std::ranges::max(speedups));
    result_.tables.push_back(std::move(table));
    result_.charts.push_back(std::move(chart));
  }

  // Network bandwidth of ACE over that of the fastest baseline.
  void find_network() {
    find("network.gain.mean", mean(network_gains_));
    find("network.gain.max", std::ranges::max(network_gains_));
    find("ace_of_ideal.least", std::ranges::min(of_ideal_));
  }

  void add_overlap() {
    Table table{.name = "engine_busy",
                .title = "Fraction of the kernels' time with a collective in the engine",
                .columns = {"network", "NPUs", "forward", "backward"}};
    for (const std::string& name : file_.workloads.keys) {
      for (const Dims& dims : file_.sizes) {
        const std::string of = fmt::format("{}.{}.{}", name, count(dims), kAce);
        table.rows.push_back({name,
                              std::to_string(count(dims)),
                              result_.findings.at("busy.forward." + of),
                              result_.findings.at("busy.backward." + of)});
      }
    }
    result_.tables.push_back(std::move(table));
  }

  static double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
      sum += value;
    }
    return sum / static_cast<double>(values.size());
  }

  const AceFile& file_;
  const AceAssumptions& assumptions_;
  const AceRunner& runner_;
  StudyResult& result_;
  std::vector<AceConfiguration> configurations_;
  std::vector<double> network_gains_;  // by workload and size
  std::vector<double> of_ideal_;       // by workload and size
};

}  // namespace

void study_steps(const AceFile& file,
                 const AceAssumptions& assumptions,
                 const AceRunner& runner,
                 StudyResult& result) {
  Steps(file, assumptions, runner, result).run();
}

}  // namespace cairn::study
