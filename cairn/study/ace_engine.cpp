// The SRAM and state machines that ACE's engine needs: a sweep over both, for each division among
// phases.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

const Schema<AceEngineSweep>& schema_of(const AceEngineSweep*) {
  static const auto kSchema =
      Schema<AceEngineSweep>("engine", "sweep over the engine's SRAM and state machines")
          .required("sizes", &AceEngineSweep::sizes, "torus dimensions L x V x H", "[[4, 4, 4]]")
          .required("sram", &AceEngineSweep::sram, "SRAM sizes, ascending", "[1 MiB, 4 MiB]")
          .positive()
          .required("fsms", &AceEngineSweep::fsms, "state machines, ascending", "[4, 16]")
          .at_least(1)
          .required("published_sram", &AceEngineSweep::published_sram, "SRAM at the knee", "4 MiB")
          .positive()
          .required("published_fsms", &AceEngineSweep::published_fsms, "FSMs at the knee", "16")
          .at_least(1);
  return kSchema;
}

namespace {

using chip::EngineSplit;

// Fraction of the sweep's maximum that counts as having reached it.
constexpr double kReached = 0.95;

// Bandwidth relative to an ideal endpoint's, and its bound.
struct Point {
  double of_ideal = 0.0;
  std::string bound_by{};
};

// By SRAM and state machines; nullopt: infeasible.
using Grid = std::vector<std::vector<std::optional<Point>>>;

class EngineSizing {
 public:
  EngineSizing(const AceFile& file,
               const EngineInputs& inputs,
               const comm::Endpoint& ace,
               const Tick& tick)
      : file_(file), sweep_(file.engine), inputs_(inputs), ace_(ace), tick_(tick) {}

  StudyResult run() {
    for (const Dims& dims : sweep_.sizes) {
      const platform::Platform torus = torus_of(dims);
      const std::uint32_t npus = torus.device_count();
      for (const auto& [split, name] : EnumNames<EngineSplit>::kNames) {
        const Grid grid = driven_of_ideal(torus, split);
        add_table(grid, npus, std::string(name));
        find_knee(grid, fmt::format("sizing.{}.{}", npus, name));
        if (split == inputs_.split) {
          find_knee(grid, fmt::format("sizing.{}", npus));
          add_chart(grid, npus, std::string(name));
        }
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] platform::Platform torus_of(const Dims& dims) const {
    Config config = file_.platform;
    set_value(config, fmt::format("dims=[{}]", fmt::join(dims, ", ")));
    if (!inputs_.latency.empty()) {
      std::vector<std::string> latencies;
      for (const Seconds latency : inputs_.latency) {
        latencies.push_back(fmt::format("{} s", latency.si()));
      }
      set_value(config, fmt::format("latency=[{}]", fmt::join(latencies, ", ")));
    }
    return platform::read_platform(config, {});
  }

  [[nodiscard]] Feasible<explain::CollectiveResult> all_reduce(const platform::Platform& torus,
                                                               const comm::Endpoint& endpoint) {
    if (tick_) {
      tick_();
    }
    CollectiveOptions options{.algorithm = "hierarchical"};
    options.endpoint = endpoint;
    return evaluate_collective(torus, {.size = inputs_.payload}, options);
  }

  [[nodiscard]] Grid driven_of_ideal(const platform::Platform& torus, EngineSplit split) {
    const double ideal = all_reduce(torus, {}).value().time.si();
    Grid grid;
    for (const Bytes sram : sweep_.sram) {
      grid.emplace_back();
      for (const std::uint32_t fsms : sweep_.fsms) {
        comm::Endpoint endpoint = ace_;
        endpoint.engine.sram = sram;
        endpoint.engine.fsms = fsms;
        endpoint.engine.split = split;
        const auto found = all_reduce(torus, endpoint);
        grid.back().push_back(
            found ? std::optional(Point{ideal / found->time.si(), found->bound.text})
                  : std::nullopt);
      }
    }
    return grid;
  }

  void add_table(const Grid& grid, std::uint32_t npus, const std::string& split) {
    Table table{
        .name = fmt::format("engine_sizing_{}_{}", split, npus),
        .title = fmt::format("Network bandwidth relative to an ideal endpoint on {} NPUs, {} split "
                             "(* published knee)",
                             npus,
                             split),
        .columns = {"SRAM"}};
    for (const std::uint32_t fsms : sweep_.fsms) {
      table.columns.push_back(fmt::format("{} FSMs", fsms));
    }
    for (std::size_t s = 0; s < grid.size(); ++s) {
      std::vector<Cell> row{to_text(sweep_.sram[s])};
      for (std::size_t f = 0; f < grid[s].size(); ++f) {
        if (!grid[s][f]) {
          row.emplace_back("-");
        } else if (published(s, f)) {
          row.emplace_back(fmt::format("{:.3g} *", grid[s][f]->of_ideal));
        } else {
          row.emplace_back(grid[s][f]->of_ideal);
        }
      }
      table.rows.push_back(std::move(row));
    }
    result_.tables.push_back(std::move(table));
  }

  void add_chart(const Grid& grid, std::uint32_t npus, const std::string& split) {
    report::Chart chart{
        .name = fmt::format("engine_sizing_{}", npus),
        .title = fmt::format("Network bandwidth of engines on {} NPUs, {} split", npus, split),
        .x = {.title = "state machines"},
        .y = {.title = "bandwidth relative to an ideal endpoint"}};
    for (std::size_t s = 0; s < grid.size(); ++s) {
      report::Series series{.name = to_text(sweep_.sram[s])};
      for (std::size_t f = 0; f < grid[s].size(); ++f) {
        if (grid[s][f]) {
          series.x.push_back(sweep_.fsms[f]);
          series.y.push_back(grid[s][f]->of_ideal);
        }
      }
      chart.series.push_back(std::move(series));
    }
    result_.charts.push_back(std::move(chart));
  }

  // The fewest state machines that reach the maximum with the largest SRAM; then the smallest SRAM
  // that reaches it with that many.
  void find_knee(const Grid& grid, const std::string& name) {
    const auto& largest_sram = grid.back();
    const double best = largest_sram.back() ? largest_sram.back()->of_ideal : 0.0;
    const auto reaches = [best](const std::optional<Point>& point) {
      return point && point->of_ideal >= kReached * best;
    };
    const auto knee = std::ranges::find_if(largest_sram, reaches);
    if (knee == largest_sram.end()) {
      result_.absent[name + "."] = "no engine of the sweep holds one chunk per phase";
      return;
    }
    const auto f = static_cast<std::size_t>(knee - largest_sram.begin());
    std::size_t s = 0;
    while (!reaches(grid[s][f])) {
      ++s;
    }
    find(name + ".knee.fsms", sweep_.fsms[f]);
    find(name + ".knee.sram", sweep_.sram[s] / Bytes(1048576.0));
    find(name + ".best", best);
    find_published(grid, name, best);
  }

  // The published engine, and others relative to it.
  void find_published(const Grid& grid, const std::string& name, double best) {
    for (std::size_t s = 0; s < grid.size(); ++s) {
      for (std::size_t f = 0; f < grid[s].size(); ++f) {
        if (published(s, f) && grid[s][f]) {
          const double here = grid[s][f]->of_ideal;
          find(name + ".published", here);
          find(name + ".more", best / here);
          for (const char* why : {".published", ".more", ".knee.fsms"}) {
            result_.reasons[name + why] =
                "the published engine is bound by " + grid[s][f]->bound_by;
          }
          if (grid.front().front()) {
            find(name + ".least", grid.front().front()->of_ideal / here);
          }
          if (grid[s].front()) {
            find(name + ".fewest_fsms", grid[s].front()->of_ideal / here);
          }
        }
      }
    }
  }

  [[nodiscard]] bool published(std::size_t sram, std::size_t fsms) const {
    return sweep_.sram[sram] == sweep_.published_sram && sweep_.fsms[fsms] == sweep_.published_fsms;
  }

  void find(const std::string& name, double value) { result_.findings[name] = value; }

  const AceFile& file_;
  const AceEngineSweep& sweep_;
  const EngineInputs& inputs_;
  comm::Endpoint ace_;
  const Tick& tick_;
  StudyResult result_;
};

}  // namespace

StudyResult study_engine(const AceFile& file,
                         const EngineInputs& inputs,
                         const chip::Device& device,
                         const Tick& tick) {
  const Config* ace = file.configurations.find("ace");
  if (ace == nullptr) {
    reject(file.configurations, "has no ace (expected the engine of the sweep)");
  }
  comm::Endpoint endpoint = comm::endpoint_of(*ace, device);
  endpoint.accounting = inputs.accounting;
  return EngineSizing(file, inputs, endpoint, tick).run();
}

}  // namespace cairn::study
