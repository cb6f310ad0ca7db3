#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/chip/generate.hpp"
#include "cairn/chip/generated_device.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/chip_search.hpp"
#include "cairn/study/deepflow_ranking.hpp"
#include "cairn/tech/library.hpp"

namespace cairn::study {

namespace {

// Where the bandwidth between devices comes from.
enum class Links : std::uint8_t {
  kGiven,  // an adapter beside the chip, whatever the chip
  kChip,   // what the chip's shares make
};

// When a step of one model is as good as that of another.
enum class SameWork : std::uint8_t {
  kFlops,    // for the same multiply-accumulates
  kSamples,  // for the same number of samples, whatever the model
};

}  // namespace

}  // namespace cairn::study

template <>
struct cairn::EnumNames<cairn::study::Links> {
  using E = cairn::study::Links;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kGiven, "given"}, {E::kChip, "chip"}}};
};

template <>
struct cairn::EnumNames<cairn::study::SameWork> {
  using E = cairn::study::SameWork;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kFlops, "flops"}, {E::kSamples, "samples"}}};
};

namespace cairn::study {

namespace {

struct Models {
  std::vector<double> hidden{};
  std::vector<double> batch{};
};

const Schema<Models>& schema_of(const Models*) {
  static const auto kSchema = Schema<Models>("models", "sizes that a model may have")
                                  .required("hidden", &Models::hidden, "widths", "[8192, 16384]")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kLargest)
                                  .required("batch", &Models::batch, "samples", "[8192, 16384]")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kLargest);
  return kSchema;
}

struct StudyFile : DeepFlowFile {
  std::uint32_t devices = 512;
  BytesPerSecond network{100e9};
  std::vector<Metres> nodes{};
  ChipSearch chip_search{};
  Models models{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  using F = StudyFile;
  static const auto kSchema =
      deepflow_schema<F>("nodes, what is searched, assumptions and claims")
          .optional("devices", &F::devices, "around one switch")
          .at_least(2)
          .at_most(4096)
          .optional("network", &F::network, "of a device, each way")
          .positive()
          .required("nodes", &F::nodes, "of logic, from the oldest", "[12 nm, 7 nm]")
          .optional("chip_search", &F::chip_search, "how chips are searched")
          .required("models", &F::models, "sizes that the model may have", "{...}");
  return kSchema;
}

// Of this study only.
struct OwnAssumptions {
  Links links = Links::kGiven;
  SameWork same_work = SameWork::kFlops;
};

const Schema<OwnAssumptions>& schema_of(const OwnAssumptions*) {
  using A = OwnAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "of what is searched")
          .optional("links", &A::links, "where the bandwidth between devices comes from")
          .optional("same_work", &A::same_work, "what models are compared for");
  return kSchema;
}

// The best that is found with so much of the design free.
struct Found {
  Seconds time{};
  std::string strategy{};
  double hidden = 0.0;
  double batch = 0.0;
};

struct NodeFound {
  std::string name{};  // "n12"
  std::string text{};  // "12 nm"
  Found naive{};       // data parallelism on the template's chip
  Found parallelism{};
  Found architecture{};
  Found model{};
  FlopsPerSecond peak{};  // of the chip that was found
  Bytes l2{};
  BytesPerSecond memory{};
  BytesPerSecond network{};
};

class Parallelism {
 public:
  Parallelism(const StudyFile& file,
              const DeepFlowAssumptions& assumptions,
              const OwnAssumptions& own,
              const DataFolders& folders,
              const Tick& tick)
      : file_(file), assumptions_(assumptions), own_(own), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-parallelism";
    const tech::ScalingLaw law =
        tech::read_scaling_law(Config{.kind = Config::Kind::kScalar,
                                      .where = assumptions_.where("scaling"),
                                      .text = assumptions_.scaling,
                                      .keys = {},
                                      .items = {}},
                               folders_.devices.templates.technologies);
    for (const Metres node : file_.nodes) {
      if (!tech::steps_between(law, law.nodes.front().node, node)) {
        left_out_.push_back(cairn::to_text(node));
        continue;
      }
      run_node(node);
    }
    if (found_.empty()) {
      throw ConfigError(assumptions_.where("scaling"), "has none of the nodes that are listed");
    }
    find_all();
    add_table();
    add_chart();
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  struct Made {
    chip::Device device{};
    BytesPerSecond network{};
  };

  [[nodiscard]] Feasible<Made> make(const chip::Template& design) const {
    auto chip = chip::generate(design);
    if (!chip) {
      return chip.reason();
    }
    Made made{chip::device_of(*chip, design), file_.network};
    made.device.launch = assumptions_.launch;
    if (own_.links == Links::kChip) {
      if (!chip->inter_package) {
        return Infeasible{"inter_package", "the chip has no links to other packages"};
      }
      made.network = chip->inter_package->bandwidth;
    }
    return made;
  }

  [[nodiscard]] Design design_on(const Made& made, const DeepFlowAssumptions& here) const {
    return deepflow_design(
        here, made.device, around_a_switch(file_.devices, made.network, here.network_latency));
  }

  [[nodiscard]] Ranked rank_all(const Made& made, const DeepFlowAssumptions& here) const {
    const Design design = design_on(made, here);
    Ranked ranked =
        rank(design, all_strategies(file_.devices, {1}, 1, design.strategy), here, tick_);
    if (ranked.trials.empty()) {
      const LeftOut& first = ranked.left_out.front();
      throw ConfigError(
          here.where("batch"),
          fmt::format("no strategy can be tried: {}: {}", first.strategy, first.reason));
    }
    return ranked;
  }

  void run_node(Metres node) {
    NodeFound found{.name = fmt::format("n{:g}", node / Metres(1e-9)),
                    .text = cairn::to_text(node)};
    const chip::Template design = template_at(assumptions_, found.text, folders_);
    const auto made = make(design);
    if (!made) {
      throw ConfigError(assumptions_.where(),
                        fmt::format("there is no such chip at {}: {}: {}",
                                    found.text,
                                    made.reason().limit,
                                    made.reason().detail));
    }
    const Ranked ranked = rank_all(*made, assumptions_);
    found.parallelism = found_of(ranked.trials.front(), assumptions_);
    const auto data = std::ranges::find(ranked.trials, Family::kData, &Trial::family);
    if (data == ranked.trials.end()) {
      throw ConfigError(assumptions_.where("batch"), "leaves no data parallelism to begin with");
    }
    found.naive = found_of(*data, assumptions_);
    const Made chip = search_architecture(design, *made, ranked.trials.front(), found);
    search_model(chip, found);
    found_.push_back(std::move(found));
  }

  static Found found_of(const Trial& trial, const DeepFlowAssumptions& here) {
    return {trial.time, trial.strategy, here.hidden, here.batch};
  }

  // Chip and strategy by turns: the best shares for a strategy, then the best strategy on that
  // chip, until it stays.
  Made search_architecture(const chip::Template& design,
                           const Made& first,
                           const Trial& best_strategy,
                           NodeFound& found) {
    const ChipShares shares(design, own_.links == Links::kChip);
    search::Point point = shares.start();
    Made best = first;
    Trial strategy = best_strategy;
    found.architecture = found.parallelism;
    for (std::uint32_t round = 0; round < file_.chip_search.rounds; ++round) {
      const FoundChip chip = search_chip(
          shares,
          point,
          file_.chip_search,
          [&](const chip::Template& tried) { return time_of(tried, strategy.how); },
          tick_);
      if (chip.time >= found.architecture.time) {
        break;
      }
      point = chip.shares;
      best = make(shares.at(point)).value();
      const Trial next = rank_all(best, assumptions_).trials.front();
      found.architecture = found_of(next, assumptions_);
      if (next.strategy == strategy.strategy) {
        break;
      }
      strategy = next;
    }
    found.peak = 2.0 * FlopsPerSecond(best.device.macs_per_second(assumptions_.precision));
    found.l2 = best.device.levels.back().capacity;
    found.memory = best.device.memory.bandwidth;
    found.network = best.network;
    return best;
  }

  [[nodiscard]] std::optional<Seconds> time_of(const chip::Template& design,
                                               const plan::Strategy& strategy) const {
    const auto made = make(design);
    if (!made) {
      return std::nullopt;
    }
    Design tried = design_on(*made, assumptions_);
    tried.strategy = strategy;
    kernel::Cache kernels(made->device);
    const auto step = step_of(tried, assumptions_, kernels);
    return step ? std::optional(step->step_time) : std::nullopt;
  }

  // On the chip that was found, all sizes of the model with all strategies.
  void search_model(const Made& chip, NodeFound& found) {
    found.model = found.architecture;
    for (const double hidden : file_.models.hidden) {
      for (const double batch : file_.models.batch) {
        if (hidden == assumptions_.hidden && batch == assumptions_.batch) {
          continue;  // that is the architecture's
        }
        DeepFlowAssumptions here = assumptions_;
        here.hidden = hidden;
        here.batch = batch;
        Found other = found_of(rank_all(chip, here).trials.front(), here);
        other.time = other.time / (work_of(here) / work_of(assumptions_));
        if (other.time < found.model.time) {
          found.model = other;
        }
      }
    }
  }

  // What steps of two models are compared for.
  [[nodiscard]] double work_of(const DeepFlowAssumptions& here) const {
    if (own_.same_work == SameWork::kSamples) {
      return here.batch;
    }
    return model::macs_of(model::with_backward_pass(language_model(here, here.batch)));
  }

  void find_all() {
    for (std::size_t n = 0; n < found_.size(); ++n) {
      const NodeFound& node = found_[n];
      find("time.naive", node, node.naive.time.si());
      find("time.parallelism", node, node.parallelism.time.si(), node.parallelism.strategy);
      find("time.architecture", node, node.architecture.time.si(), node.architecture.strategy);
      find("time.model", node, node.model.time.si(), node.model.strategy);
      find("parallelism_gain",
           node,
           node.naive.time / node.parallelism.time,
           fmt::format("{:.2f} s by data parallelism, {:.2f} s by {}",
                       node.naive.time.si(),
                       node.parallelism.time.si(),
                       node.parallelism.strategy));
      find("architecture_gain",
           node,
           node.parallelism.time / node.architecture.time,
           fmt::format("{:.2f} s by {} on the template's chip, {:.2f} s by {} on its own",
                       node.parallelism.time.si(),
                       node.parallelism.strategy,
                       node.architecture.time.si(),
                       node.architecture.strategy));
      find("model_gain",
           node,
           node.architecture.time / node.model.time,
           fmt::format("hidden {:g}, batch {:g}, by {}",
                       node.model.hidden,
                       node.model.batch,
                       node.model.strategy));
      find_generations(n);
      find_next(n);
    }
    find_logic_alone();
    for (const char* of : {"time.",
                           "parallelism_gain.",
                           "architecture_gain.",
                           "model_gain.",
                           "model_generations.",
                           "strategy_beats_next_node.",
                           "logic_alone."}) {
      result_.absent[of] = left_out_.empty() ? "no such logic node, or none after it, is listed"
                                             : "the scaling law has no such logic node, or none "
                                               "after it is listed";
    }
  }

  void find(const char* what, const NodeFound& node, double value, const std::string& why = {}) {
    const std::string name = fmt::format("{}.{}", what, node.name);
    result_.findings[name] = value;
    result_.reasons[name] = why;
  }

  // How many nodes later chip and strategy alone are as fast as with the model: between nodes by
  // the logarithm of the time.
  void find_generations(std::size_t n) {
    const double wanted = found_[n].model.time.si();
    double generations = 0.0;
    bool reached = false;
    for (std::size_t k = n; k + 1 < found_.size(); ++k) {
      const double here = found_[k].architecture.time.si();
      const double next = found_[k + 1].architecture.time.si();
      if (next <= wanted) {
        generations += next < here ? std::log(here / wanted) / std::log(here / next) : 0.0;
        reached = true;
        break;
      }
      generations += 1.0;
    }
    if (n + 1 == found_.size()) {
      return;
    }
    find("model_generations",
         found_[n],
         generations,
         fmt::format("{:.2f} s with the model at {}, {}",
                     wanted,
                     found_[n].text,
                     reached ? "reached by chip and strategy that much later"
                             : "not reached by any node that is listed"));
  }

  // The introduction: a better strategy against the next generation with a naive one.
  void find_next(std::size_t n) {
    if (n + 1 == found_.size()) {
      return;
    }
    const double by_strategy = found_[n].naive.time / found_[n].parallelism.time;
    const double by_node = found_[n].naive.time / found_[n + 1].naive.time;
    note(result_,
         fmt::format("strategy_beats_next_node.{}", found_[n].name),
         by_strategy > by_node,
         fmt::format("{:.2f} times as fast by {}, {:.2f} times by data parallelism at {}",
                     by_strategy,
                     found_[n].parallelism.strategy,
                     by_node,
                     found_[n + 1].text));
  }

  void find_logic_alone() {
    const NodeFound& first = found_.front();
    const NodeFound& last = found_.back();
    find("logic_alone",
         last,
         first.naive.time / last.naive.time,
         fmt::format("data parallelism, {:.2f} s at {}, {:.2f} s at {}",
                     first.naive.time.si(),
                     first.text,
                     last.naive.time.si(),
                     last.text));
    note(result_,
         "strategy_beats_all_nodes",
         first.parallelism.time < last.naive.time,
         fmt::format("{:.2f} s by {} at {}, {:.2f} s by data parallelism at {}",
                     first.parallelism.time.si(),
                     first.parallelism.strategy,
                     first.text,
                     last.naive.time.si(),
                     last.text));
  }

  void add_table() {
    Table table{.name = "fig10",
                .title = "Step time in seconds, with more and more of the design searched",
                .columns = {"node",
                            "data parallelism",
                            "strategy",
                            "by",
                            "and chip",
                            "by",
                            "and model",
                            "hidden",
                            "batch",
                            "by"}};
    Table chips{
        .name = "chips",
        .title = "The chips that were found",
        .columns = {"node", "throughput (Tflop/s)", "L2 (MB)", "memory (GB/s)", "network (GB/s)"}};
    for (const NodeFound& node : found_) {
      table.rows.push_back({node.text,
                            node.naive.time.si(),
                            node.parallelism.time.si(),
                            node.parallelism.strategy,
                            node.architecture.time.si(),
                            node.architecture.strategy,
                            node.model.time.si(),
                            fmt::format("{:g}", node.model.hidden),
                            fmt::format("{:g}", node.model.batch),
                            node.model.strategy});
      chips.rows.push_back({node.text,
                            node.peak / FlopsPerSecond(1e12),
                            node.l2 / Bytes(1e6),
                            node.memory / BytesPerSecond(1e9),
                            node.network / BytesPerSecond(1e9)});
    }
    result_.tables = {std::move(table), std::move(chips)};
  }

  void add_chart() {
    report::Chart chart{.name = "fig10",
                        .title = "What is searched, by logic node",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "logic node"},
                        .y = {.title = "step time (s)"},
                        .categories = {}};
    for (const NodeFound& node : found_) {
      chart.categories.push_back(node.text);
    }
    for (const auto& [name, of] : {std::pair("data parallelism", &NodeFound::naive),
                                   std::pair("strategy", &NodeFound::parallelism),
                                   std::pair("and chip", &NodeFound::architecture),
                                   std::pair("and model", &NodeFound::model)}) {
      report::Series series{.name = name};
      for (const NodeFound& node : found_) {
        series.y.push_back((node.*of).time.si());
      }
      chart.series.push_back(std::move(series));
    }
    result_.charts.push_back(std::move(chart));
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const OwnAssumptions& own_;
  const DataFolders& folders_;
  const Tick& tick_;
  std::vector<NodeFound> found_;
  std::vector<std::string> left_out_;  // nodes that the law does not have
  StudyResult result_;
};

StudyFile read_file(const Config& config) {
  auto file = read_config<StudyFile>(config);
  check_filled(config, {"nodes"});
  check_filled(*config.find("models"), {"hidden", "batch"});
  return file;
}

StudyResult run_under(const Config& values,
                      const StudyFile& file,
                      const DataFolders& folders,
                      const Tick& tick) {
  Config rest = values;
  const auto own = read_config<OwnAssumptions>(take(rest, {"links", "same_work"}));
  const DeepFlowAssumptions assumptions = read_deepflow_assumptions(rest);
  return Parallelism(file, assumptions, own, folders, tick).run();
}

}  // namespace

StudyResult run_deepflow_parallelism(const Config& config,
                                     const DataFolders& folders,
                                     const Tick& tick) {
  const StudyFile file = read_file(config);
  return run_under(values_of(file.assumptions), file, folders, tick);
}

std::vector<ClaimRange> range_deepflow_parallelism(const Config& config,
                                                   const DataFolders& folders,
                                                   const Tick& tick) {
  const StudyFile file = read_file(config);
  return range_over(file.assumptions, file.variations, [&](const Config& values) {
    return run_under(values, file, folders, tick);
  });
}

}  // namespace cairn::study
