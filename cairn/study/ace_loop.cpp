// DLRM's loop with the next step's lookup and the last step's update in the background: its
// speedup, and its sensitivity to lookups and bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/ace_run.hpp"

namespace cairn::study {

const Schema<AceLoop>& schema_of(const AceLoop*) {
  static const auto kSchema =
      Schema<AceLoop>("loop", "embedding tables looked up and updated in the background")
          .required("workload", &AceLoop::workload, "workload with tables", "dlrm")
          .required("sweep_size", &AceLoop::sweep_size, "torus of the sweep", "[4, 4, 4]")
          .required("configurations", &AceLoop::configurations, "swept endpoints", "[ace]")
          .required("lookups", &AceLoop::lookups, "swept rows per table", "[20, 10]")
          .positive()
          .required("memory", &AceLoop::memory, "swept background bandwidth", "[80 GB/s]")
          .positive();
  return kSchema;
}

namespace {

class Loop {
 public:
  Loop(const AceFile& file,
       const AceAssumptions& assumptions,
       const chip::Device& device,
       const AceRunner& runner,
       StudyResult& result)
      : file_(file),
        assumptions_(assumptions),
        device_(device),
        runner_(runner),
        result_(result),
        configurations_(runner.configurations()) {}

  void run() {
    add_sizes();
    add_sweep();
  }

 private:
  // The bandwidth with the cores that drive it: one core for 80 GB/s.
  [[nodiscard]] memory::Background slice(BytesPerSecond memory) const {
    const double cores = memory / (comm::cores_move(device_) / device_.cores.count);
    return {.sms = static_cast<std::uint32_t>(std::max(1.0, std::round(cores))), .memory = memory};
  }

  [[nodiscard]] AceRun step(const Dims& dims,
                            const AceConfiguration& configuration,
                            double lookups,
                            std::optional<BytesPerSecond> memory) const {
    return runner_.run({.workload = file_.loop.workload,
                        .dims = dims,
                        .configuration = configuration,
                        .lookups = lookups,
                        .background = memory ? std::optional(slice(*memory)) : std::nullopt});
  }

  void add_sizes() {
    const memory::Background reserved = slice(assumptions_.background_memory);
    Table table{
        .name = "loop",
        .title = fmt::format("{}: step time (ms) with background tables on {} SM and {} per "
                             "NPU, and the gain over foreground tables",
                             file_.loop.workload,
                             reserved.sms,
                             to_text(reserved.memory)),
        .columns = {"NPUs", "background"}};
    for (const AceConfiguration& configuration : configurations_) {
      table.columns.push_back(configuration.name);
      table.columns.emplace_back("gain");
    }
    for (const Dims& dims : file_.sizes) {
      std::vector<Cell> row{std::to_string(count(dims)), 0.0};
      for (const AceConfiguration& configuration : configurations_) {
        const AceRun run =
            step(dims, configuration, assumptions_.lookups, assumptions_.background_memory);
        const std::string of = fmt::format("{}.{}", count(dims), configuration.name);
        const double foreground =
            result_.findings.at(fmt::format("step.{}.{}", file_.loop.workload, of));
        result_.findings["loop.step." + of] = run.step;
        result_.findings["loop.background." + of] = run.background;
        result_.findings["loop.gain." + of] = foreground / run.step;
        row[1] = run.background;
        row.emplace_back(run.step);
        row.emplace_back(foreground / run.step);
      }
      table.rows.push_back(std::move(row));
    }
    result_.tables.push_back(std::move(table));
  }

  // Sweeps the lookups per table and the background bandwidth.
  void add_sweep() {
    const AceLoop& sweep = file_.loop;
    Table table{.name = "loop_sweep",
                .title = fmt::format("{}: step time with foreground over background tables on {} "
                                     "NPUs, by lookups and background bandwidth",
                                     sweep.workload,
                                     count(sweep.sweep_size)),
                .columns = {"rows", "SMs", "memory (GB/s)", "background (ms)"}};
    for (const std::string& name : sweep.configurations) {
      table.columns.push_back(name);
    }
    for (const double lookups : sweep.lookups) {
      std::vector<double> foreground;
      for (const std::string& name : sweep.configurations) {
        foreground.push_back(step(sweep.sweep_size, named(name), lookups, std::nullopt).step);
      }
      for (const BytesPerSecond memory : sweep.memory) {
        std::vector<Cell> row{lookups, 1.0 * slice(memory).sms, memory.si() / 1e9, 0.0};
        for (std::size_t c = 0; c < sweep.configurations.size(); ++c) {
          const AceRun run =
              step(sweep.sweep_size, named(sweep.configurations[c]), lookups, memory);
          row[3] = run.background;
          row.emplace_back(foreground[c] / run.step);
          result_.findings[fmt::format(
              "loop.sweep.{}.{}.{}", lookups, memory.si() / 1e9, sweep.configurations[c])] =
              foreground[c] / run.step;
        }
        table.rows.push_back(std::move(row));
      }
    }
    result_.tables.push_back(std::move(table));
  }

  [[nodiscard]] const AceConfiguration& named(const std::string& name) const {
    return *std::ranges::find(configurations_, name, &AceConfiguration::name);
  }

  const AceFile& file_;
  const AceAssumptions& assumptions_;
  const chip::Device& device_;
  const AceRunner& runner_;
  StudyResult& result_;
  std::vector<AceConfiguration> configurations_;
};

}  // namespace

void study_loop(const AceFile& file,
                const AceAssumptions& assumptions,
                const chip::Device& device,
                const AceRunner& runner,
                StudyResult& result) {
  Loop(file, assumptions, device, runner, result).run();
}

}  // namespace cairn::study
