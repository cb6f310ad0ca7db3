// Training steps on ACE's platforms: who executes collectives, and what of a step that costs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cairn/evaluate.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

namespace {

using explain::StepResult;

constexpr const char* kNoOverlap = "no_overlap";
constexpr const char* kIdeal = "ideal";
constexpr const char* kAce = "ace";

// Who executes collectives, and how they are issued.
struct Configuration {
  std::string name{};
  comm::Endpoint endpoint{};
  bool fused = false;  // all gradients together, at the end of the backward pass; kernels wait
};

// Parts of the time of kernels in which a collective is under way.
struct Busy {
  double forward = 0.0;
  double backward = 0.0;
};

struct Run {
  double step = 0.0;           // ms
  double exposed = 0.0;        // ms of it in which kernels wait for communication
  double driven = 0.0;         // GB/s that a device sends while collectives are under way
  double communicating = 0.0;  // part of the step in which they are
  Busy busy{};
};

Busy busy_of(const explain::StepRecord& record) {
  std::vector<std::pair<Seconds, Seconds>> exchanges;
  for (const explain::NamedSpan& span : record.spans) {
    if (span.kind == memory::ActionKind::kExchange) {
      exchanges.emplace_back(span.submitted, span.end);
    }
  }
  std::ranges::sort(exchanges);
  Seconds forward(0.0);
  Seconds backward(0.0);
  Seconds beside_forward(0.0);
  Seconds beside_backward(0.0);
  for (const explain::NamedSpan& span : record.spans) {
    if (span.kind != memory::ActionKind::kKernel || span.device_class != 0) {
      continue;
    }
    const bool is_forward = span.name.ends_with("(forward)");
    (is_forward ? forward : backward) += span.end - span.begin;
    Seconds counted = span.begin;
    for (const auto& [from, to] : exchanges) {
      const Seconds begin = std::max(from, counted);
      const Seconds end = std::min(to, span.end);
      if (end > begin) {
        (is_forward ? beside_forward : beside_backward) += end - begin;
        counted = end;
      }
    }
  }
  return {beside_forward / forward, beside_backward / backward};
}

class Steps {
 public:
  Steps(const AceFile& file,
        const AceAssumptions& assumptions,
        const chip::Device& device,
        const DataFolders& folders,
        const Tick& tick,
        StudyResult& result)
      : file_(file),
        assumptions_(assumptions),
        device_(device),
        folders_(folders),
        tick_(tick),
        result_(result) {
    configurations_.push_back(
        {kNoOverlap, endpoint_of(parse_config("{executor: cores}", file.device.where.file)), true});
    for (std::size_t i = 0; i < file.configurations.keys.size(); ++i) {
      configurations_.push_back(
          {file.configurations.keys[i], endpoint_of(file.configurations.items[i])});
    }
    configurations_.push_back({.name = kIdeal});
  }

  void run() {
    for (std::size_t w = 0; w < file_.workloads.keys.size(); ++w) {
      run_workload(file_.workloads.keys[w], file_.workloads.items[w]);
    }
    find_network();
    add_busy();
  }

 private:
  void find(const std::string& name, double value) { result_.findings[name] = value; }

  [[nodiscard]] comm::Endpoint endpoint_of(const Config& config) const {
    comm::Endpoint endpoint = comm::endpoint_of(config, device_);
    endpoint.accounting = assumptions_.accounting;
    return endpoint;
  }

  void run_workload(const std::string& name, const Config& written) {
    Table table{.name = "steps_" + name,
                .title = fmt::format("{}: one step, of which communication is exposed (ms)", name),
                .columns = {"NPUs"}};
    report::Chart chart{.name = table.name,
                        .title = name + ": time of a step",
                        .x = {.title = "NPUs"},
                        .y = {.title = "time (ms)"}};
    for (const Configuration& configuration : configurations_) {
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
      std::map<std::string, Run> runs;
      for (std::size_t c = 0; c < configurations_.size(); ++c) {
        const Configuration& configuration = configurations_[c];
        const Run& run = runs[configuration.name] = step(written, dims, configuration);
        const std::string of = fmt::format("{}.{}.{}", name, npus, configuration.name);
        find("step." + of, run.step);
        find("exposed." + of, run.exposed);
        find("network." + of, run.driven);
        find("communicating." + of, run.communicating);
        find("busy.forward." + of, run.busy.forward);
        find("busy.backward." + of, run.busy.backward);
        row.emplace_back(run.step);
        row.emplace_back(run.exposed);
        chart.series[c].x.push_back(npus);
        chart.series[c].y.push_back(run.step);
      }
      const Run* best = nullptr;
      for (const auto& [which, run] : runs) {
        if (which != kAce && which != kIdeal && (best == nullptr || run.step < best->step)) {
          best = &run;
        }
      }
      const Run& ace = runs.at(kAce);
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

  [[nodiscard]] Run step(const Config& written,
                         const Dims& dims,
                         const Configuration& configuration) const {
    if (tick_) {
      tick_();
    }
    const Design design = design_of(written, dims, configuration);
    const std::uint32_t devices = design.platform.device_count();
    kernel::Cache kernels(design.for_kernels());
    const model::Graph graph =
        model::build_model(design.model, plan::micro_batch(design.strategy, devices));
    auto work = make_workload(graph, design.strategy, devices, kernels, design.training);
    if (!work) {
      throw ConfigError(written.where, work.reason().detail);
    }
    Workload workload = std::move(work).value();
    for (kernel::Cost& cost : workload.costs) {
      cost.time *= assumptions_.compute_scale;
      cost.compute *= assumptions_.compute_scale;
      cost.memory *= assumptions_.compute_scale;
    }
    widen_gradients(workload);
    auto made = make_machine(workload, design);
    if (!made) {
      throw ConfigError(written.where, made.reason().detail);
    }
    lower::Machine machine = std::move(made).value();
    for (lower::CollectiveTemplate& collective : machine.collectives) {
      for (sim::PhaseProgram& part : collective.parts) {
        part.start = assumptions_.start;
      }
    }
    const auto result = evaluate(workload, design, machine, {.record = true});
    if (!result) {
      throw ConfigError(written.where, result.reason().detail);
    }
    return run_of(*result);
  }

  [[nodiscard]] Design design_of(const Config& written,
                                 const Dims& dims,
                                 const Configuration& configuration) const {
    Config config = written;
    const auto add = [&](const char* key, const Config& value) {
      config.keys.emplace_back(key);
      config.items.push_back(value);
    };
    add("device", file_.device);
    Config torus = file_.platform;
    set_value(torus, fmt::format("dims=[{}]", fmt::join(dims, ", ")));
    set_value(torus, fmt::format("link_efficiency={}", assumptions_.link_efficiency));
    add("platform", torus);
    auto read = read_design(config, folders_);
    if (!read) {
      throw ConfigError(written.where, read.reason().detail);
    }
    Design design = std::move(read).value();
    design.strategy.bucket = assumptions_.bucket;
    if (configuration.fused) {
      design.strategy.bucket = Bytes::infinity();
      design.strategy.gradient_sync = plan::GradientSync::kBlocking;
    }
    design.training.optimizer = assumptions_.optimizer;
    design.training.updates = model::Updates::kBeforeUse;
    design.kernels.sequence = {
        .steps = file_.steps, .updates = design.training.updates, .exchanges = assumptions_.order};
    design.machine.algorithm = "hierarchical";
    design.machine.chunk = assumptions_.chunk;
    design.machine.endpoint = configuration.endpoint;
    return design;
  }

  // Of what sums of gradients send.
  void widen_gradients(Workload& workload) const {
    for (plan::Exchange& exchange : workload.plan.exchanges) {
      if (exchange.op == comm::Op::kAllReduce) {
        exchange.elements *= assumptions_.gradient / workload.element;
      }
    }
  }

  static Run run_of(const StepResult& result) {
    const auto communicating =
        result.activities[static_cast<std::size_t>(memory::ActionKind::kExchange)].time;
    return {.step = result.step_time.si() * 1e3,
            .exposed = result.breakdown.communication_exposed.si() * 1e3,
            .driven = (result.carried / result.devices / communicating).si() / 1e9,
            .communicating = communicating / result.step_time,
            .busy = busy_of(result.record)};
  }

  // What ACE makes of the network, against the fastest baseline.
  void find_network() {
    find("network.gain.mean", mean(network_gains_));
    find("network.gain.max", std::ranges::max(network_gains_));
    find("ace_of_ideal.least", std::ranges::min(of_ideal_));
  }

  // Of the engine.
  void add_busy() {
    Table table{.name = "engine_busy",
                .title = "Part of the kernels' time in which the engine has a collective",
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
  const chip::Device& device_;
  const DataFolders& folders_;
  const Tick& tick_;
  StudyResult& result_;
  std::vector<Configuration> configurations_;
  std::vector<double> network_gains_;  // by workload and size
  std::vector<double> of_ideal_;       // likewise
};

}  // namespace

void study_steps(const AceFile& file,
                 const AceAssumptions& assumptions,
                 const chip::Device& device,
                 const DataFolders& folders,
                 const Tick& tick,
                 StudyResult& result) {
  Steps(file, assumptions, device, folders, tick, result).run();
}

}  // namespace cairn::study
