// DLRM's loop with the next step's look-up and the last step's update in the background: what that
// gains, and on what it depends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/ace_run.hpp"

namespace cairn::study {

const Schema<AceLoop>& schema_of(const AceLoop*) {
  static const auto kSchema =
      Schema<AceLoop>("loop", "tables that are looked up and updated in the background")
          .required("workload", &AceLoop::workload, "whose tables", "dlrm")
          .required("sweep_size", &AceLoop::sweep_size, "L x V x H", "[4, 4, 4]")
          .required("configurations", &AceLoop::configurations, "of the sweep", "[ace]")
          .required("lookups", &AceLoop::lookups, "of the sweep: rows of each table", "[20, 10]")
          .positive()
          .required("memory", &AceLoop::memory, "of the sweep: for the background", "[80 GB/s]")
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
  // As many cores as can move it: one for 80 GB/s.
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
    const memory::Background kept = slice(assumptions_.background_memory);
    Table table{.name = "loop",
                .title = fmt::format("{}: one step with tables in the background, on {} SM and {} "
                                     "of each NPU (ms), and in turn over that",
                                     file_.loop.workload,
                                     kept.sms,
                                     to_text(kept.memory)),
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
        const double in_turn =
            result_.findings.at(fmt::format("step.{}.{}", file_.loop.workload, of));
        result_.findings["loop.step." + of] = run.step;
        result_.findings["loop.background." + of] = run.background;
        result_.findings["loop.gain." + of] = in_turn / run.step;
        row[1] = run.background;
        row.emplace_back(run.step);
        row.emplace_back(in_turn / run.step);
      }
      table.rows.push_back(std::move(row));
    }
    result_.tables.push_back(std::move(table));
  }

  // Rows that are looked up, and what is kept for the background.
  void add_sweep() {
    const AceLoop& sweep = file_.loop;
    Table table{.name = "loop_sweep",
                .title = fmt::format("{}: in turn over in the background on {} NPUs, by rows of "
                                     "each table and by what the background has",
                                     sweep.workload,
                                     count(sweep.sweep_size)),
                .columns = {"rows", "SMs", "memory (GB/s)", "background (ms)"}};
    for (const std::string& name : sweep.configurations) {
      table.columns.push_back(name);
    }
    for (const double lookups : sweep.lookups) {
      std::vector<double> in_turn;
      for (const std::string& name : sweep.configurations) {
        in_turn.push_back(step(sweep.sweep_size, named(name), lookups, std::nullopt).step);
      }
      for (const BytesPerSecond memory : sweep.memory) {
        std::vector<Cell> row{lookups, 1.0 * slice(memory).sms, memory.si() / 1e9, 0.0};
        for (std::size_t c = 0; c < sweep.configurations.size(); ++c) {
          const AceRun run =
              step(sweep.sweep_size, named(sweep.configurations[c]), lookups, memory);
          row[3] = run.background;
          row.emplace_back(in_turn[c] / run.step);
          result_.findings[fmt::format(
              "loop.sweep.{}.{}.{}", lookups, memory.si() / 1e9, sweep.configurations[c])] =
              in_turn[c] / run.step;
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
