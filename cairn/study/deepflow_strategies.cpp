#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/deepflow.hpp"

namespace cairn::study {

namespace {

// A number of devices on which all strategies are tried.
struct Ranking {
  std::string name{};
  std::uint32_t devices = 64;
  std::string node = "12 nm";
  BytesPerSecond network{48e9};
  std::optional<BytesPerSecond> memory{};  // instead of what the chip gives
  double hidden = 0.0;                     // 0: as assumed
  double batch = 0.0;                      // 0: as assumed
  std::vector<std::uint32_t> stages{1};
  std::uint32_t micro_batches = 1;
};

const Schema<Ranking>& schema_of(const Ranking*) {
  static const auto kSchema =
      Schema<Ranking>("ranking", "all strategies on so many devices")
          .required("name", &Ranking::name, "what results call it", "64")
          .required("devices", &Ranking::devices, "around one switch", "64")
          .at_least(2)
          .at_most(65536)
          .optional("node", &Ranking::node, "of logic")
          .required("network", &Ranking::network, "of a device, each way", "48 GB/s")
          .positive()
          .optional("memory", &Ranking::memory, "bandwidth, instead of what the chip gives")
          .optional("hidden", &Ranking::hidden, "width of the hidden state (0: as assumed)")
          .not_negative()
          .optional("batch", &Ranking::batch, "samples (0: as assumed)")
          .not_negative()
          .optional("stages", &Ranking::stages, "of pipelines that are tried")
          .at_least(1)
          .optional("micro_batches", &Ranking::micro_batches, "of pipelines")
          .at_least(1);
  return kSchema;
}

struct StudyFile {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  std::vector<Ranking> rankings{};
  Config claims{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      Schema<StudyFile>("study", "rankings, assumptions and claims")
          .optional("description", &StudyFile::description, "one line")
          .optional("source", &StudyFile::source, "the paper")
          .optional("study", &StudyFile::study, "which study, if the file is called otherwise")
          .required("assumptions", &StudyFile::assumptions, "what the paper leaves unsaid", "{...}")
          .required(
              "rankings", &StudyFile::rankings, "devices on which all strategies run", "[...]")
          .required("claims", &StudyFile::claims, "what was published", "[...]");
  return kSchema;
}

// One strategy, tried.
struct Trial {
  std::string strategy{};
  std::string family{};  // "data", "RC", "CR"
  double time = 0.0;
  Bytes peak{0.0};
  bool fits = false;
};

std::vector<std::uint32_t> divisors(std::uint32_t number) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t d = 1; d <= number; ++d) {
    if (number % d == 0) {
      result.push_back(d);
    }
  }
  return result;
}

// All RC and CR with all numbers of replicas, and data parallelism alone.
std::vector<plan::Strategy> all_strategies(const Ranking& ranking, const plan::Strategy& like) {
  std::vector<plan::Strategy> strategies;
  for (const std::uint32_t stages : ranking.stages) {
    if (ranking.devices % stages != 0) {
      continue;
    }
    const auto add = [&](plan::Parallelism form, std::uint32_t k1, std::uint32_t k2) {
      plan::Strategy strategy = like;
      strategy.parallelism = form;
      strategy.kernel1 = k1;
      strategy.kernel2 = k2;
      strategy.stages = stages;
      strategy.micro_batches = stages == 1 ? 1 : ranking.micro_batches;
      strategies.push_back(std::move(strategy));
    };
    const std::uint32_t shards = ranking.devices / stages;
    add(plan::Parallelism::kData, 1, 1);
    for (const std::uint32_t kernel : divisors(shards)) {
      if (kernel > 1) {
        add(plan::Parallelism::kColumnRow, kernel, 1);
        for (const std::uint32_t rows : divisors(kernel)) {
          add(plan::Parallelism::kRowColumn, rows, kernel / rows);
        }
      }
    }
  }
  return strategies;
}

std::string family_of(plan::Parallelism parallelism) {
  switch (parallelism) {
    case plan::Parallelism::kRowColumn:
      return "RC";
    case plan::Parallelism::kColumnRow:
      return "CR";
    case plan::Parallelism::kData:
    case plan::Parallelism::kModel:
    case plan::Parallelism::kOneWeirdTrick:
      break;
  }
  return "data";
}

class Strategies {
 public:
  Strategies(const StudyFile& file,
             DeepFlowAssumptions assumptions,
             const DataFolders& folders,
             const Tick& tick)
      : file_(file), assumptions_(std::move(assumptions)), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-strategies";
    for (const Ranking& ranking : file_.rankings) {
      std::vector<Trial> trials = rank(ranking);
      find(ranking, trials);
      add_table(ranking, trials);
    }
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  // The fastest first.
  std::vector<Trial> rank(const Ranking& ranking) {
    DeepFlowAssumptions here = assumptions_;
    here.hidden = ranking.hidden > 0.0 ? ranking.hidden : here.hidden;
    here.batch = ranking.batch > 0.0 ? ranking.batch : here.batch;
    chip::Device device = generated_device(here, ranking.node, folders_);
    device.memory.bandwidth = ranking.memory.value_or(device.memory.bandwidth);
    kernel::Cache kernels(device);
    Design design = deepflow_design(
        here, device, around_a_switch(ranking.devices, ranking.network, here.network_latency));
    std::vector<Trial> trials;
    for (const plan::Strategy& strategy : all_strategies(ranking, design.strategy)) {
      if (tick_) {
        tick_();
      }
      design.strategy = strategy;
      const model::Graph graph = language_model(here, strategy.micro_batches);
      const auto work = make_workload(graph, strategy, ranking.devices, kernels);
      if (!work) {
        continue;  // a shard would be empty
      }
      const auto machine = make_machine(*work, design);
      const auto step = machine ? evaluate(*work, design, *machine) : machine.reason();
      if (!step) {
        throw ConfigError(assumptions_.where, step.reason().detail);
      }
      trials.push_back({.strategy = plan::notation(strategy, work->plan.mesh),
                        .family = family_of(strategy.parallelism),
                        .time = step->step_time.si(),
                        .peak = step->peak_memory,
                        .fits = step->overflow() == Bytes(0.0)});
    }
    std::ranges::stable_sort(trials, {}, &Trial::time);
    return trials;
  }

  void find(const Ranking& ranking, const std::vector<Trial>& trials) {
    const auto finding = [&](const char* what) -> double& {
      return result_.findings[fmt::format("{}.{}", what, ranking.name)];
    };
    const auto data = std::ranges::find(trials, "data", &Trial::family);
    const auto fits = std::ranges::find(trials, true, &Trial::fits);
    finding("tried") = static_cast<double>(trials.size());
    finding("data") = data->time;
    finding("best") = trials.front().time;
    finding("worst") = trials.back().time;
    finding("median") = trials[trials.size() / 2].time;
    finding("gain") = data->time / trials.front().time;
    finding("best_is_cr") = trials.front().family == "CR" ? 1.0 : 0.0;
    finding("worst_is_rc") = trials.back().family == "RC" ? 1.0 : 0.0;
    finding("best_does_not_fit") = trials.front().fits ? 0.0 : 1.0;
    finding("data_fits") = data->fits ? 1.0 : 0.0;
    finding("fitting") = static_cast<double>(std::ranges::count(trials, true, &Trial::fits));
    finding("best_that_fits") = fits == trials.end() ? 0.0 : fits->time;
    finding("best_that_fits_over_best") =
        fits == trials.end() ? 0.0 : fits->time / trials.front().time;
    for (const char* what : {"best", "best_is_cr", "gain", "best_does_not_fit"}) {
      result_.reasons[fmt::format("{}.{}", what, ranking.name)] =
          fmt::format("the best is {}, {:.2f} s", trials.front().strategy, trials.front().time);
    }
    for (const char* what : {"worst", "worst_is_rc"}) {
      result_.reasons[fmt::format("{}.{}", what, ranking.name)] =
          fmt::format("the worst is {}, {:.1f} s", trials.back().strategy, trials.back().time);
    }
    for (const char* what : {"best_that_fits", "best_that_fits_over_best"}) {
      result_.reasons[fmt::format("{}.{}", what, ranking.name)] =
          fits == trials.end() ? "none fits"
                               : fmt::format("the best that fits is {}", fits->strategy);
    }
  }

  void add_table(const Ranking& ranking, const std::vector<Trial>& trials) {
    Table table{.name = "strategies_" + ranking.name,
                .title = fmt::format("{} devices, the fastest first", ranking.devices),
                .columns = {"strategy", "step time (s)", "peak memory", "fits"}};
    constexpr std::size_t kShown = 12;  // at both ends
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const bool shown = t < kShown || t + kShown / 2 >= trials.size() || trials[t].fits ||
                         trials[t].family == "data";
      if (shown) {
        const Trial& trial = trials[t];
        table.rows.push_back({trial.strategy,
                              number_text(trial.time),
                              to_text(trial.peak),
                              trial.fits ? "yes" : "no"});
      }
    }
    result_.tables.push_back(std::move(table));
  }

  const StudyFile& file_;
  DeepFlowAssumptions assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  StudyResult result_;
};

}  // namespace

StudyResult run_deepflow_strategies(const Config& config,
                                    const DataFolders& folders,
                                    const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return Strategies(file, read_deepflow_assumptions(values_of(file.assumptions)), folders, tick)
      .run();
}

std::vector<ClaimRange> range_deepflow_strategies(const Config& config,
                                                  const DataFolders& folders,
                                                  const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return range_over(file.assumptions, [&](const Config& values) {
    return Strategies(file, read_deepflow_assumptions(values), folders, tick).run().claims;
  });
}

}  // namespace cairn::study
