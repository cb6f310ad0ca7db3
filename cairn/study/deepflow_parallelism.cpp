#include "cairn/study/deepflow_parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/tech/library.hpp"

namespace cairn::study {

namespace {

// When a step of one model is as good as that of another.
enum class SameWork : std::uint8_t {
  kFlops,    // for the same multiply-accumulates
  kSamples,  // for the same number of samples, whatever the model
};

}  // namespace

}  // namespace cairn::study

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

class Parallelism {
 public:
  Parallelism(const StudyFile& file,
              const DeepFlowAssumptions& assumptions,
              const OwnAssumptions& own,
              const DataFolders& folders,
              const Tick& tick)
      : file_(file), assumptions_(assumptions), own_(own), folders_(folders), tick_(tick) {}

  StudyResult run() {
    const tech::ScalingLaw law =
        tech::read_scaling_law(Config{.kind = Config::Kind::kScalar,
                                      .where = assumptions_.where("scaling"),
                                      .text = assumptions_.scaling,
                                      .keys = {},
                                      .items = {}},
                               folders_.devices.templates.technologies);
    for (const Metres node : file_.nodes) {
      if (tech::steps_between(law, law.nodes.front().node, node)) {
        run_node(node);
      }
    }
    if (found_.empty()) {
      throw ConfigError(assumptions_.where("scaling"), "has none of the nodes that are listed");
    }
    StudyResult result = parallelism_found(found_, assumptions_.precision);
    judge(result, file_.claims);
    return result;
  }

 private:
  [[nodiscard]] SystemSearch search_of(const DeepFlowAssumptions& here) const {
    return {here,
            {.links = own_.links,
             .network = file_.network,
             .joined =
                 [devices = file_.devices, latency = here.network_latency](BytesPerSecond network) {
                   return around_a_switch(devices, network, latency);
                 }},
            tick_};
  }

  [[nodiscard]] std::vector<plan::Strategy> strategies_of(const DeepFlowAssumptions& here) const {
    return all_strategies(file_.devices, {1}, 1, deepflow_design(here, {}, {}).strategy);
  }

  void run_node(Metres node) {
    NodeFound found{.name = fmt::format("n{:g}", node / Metres(1e-9)),
                    .text = cairn::to_text(node)};
    const SystemSearch search = search_of(assumptions_);
    const auto strategies = strategies_of(assumptions_);
    const chip::Template design = template_at(assumptions_, found.text, folders_);
    const MadeChip first = search.make_first(design, found.text);
    const Ranked ranked = search.rank(first, strategies);
    const auto data = std::ranges::find(ranked.trials, Family::kData, &Trial::family);
    if (data == ranked.trials.end()) {
      throw ConfigError(assumptions_.where("batch"), "leaves no data parallelism to begin with");
    }
    found.naive = found_of(*data, assumptions_);
    found.parallelism = found_of(ranked.trials.front(), assumptions_);
    const SearchedSystem best = search.improve(
        design, {first, ranked.trials.front()}, file_.chip_search, [&](const MadeChip& chip) {
          return search.rank(chip, strategies).trials.front();
        });
    found.architecture = found_of(best.best, assumptions_);
    found.chip = best.chip;
    search_model(best.chip, found);
    found_.push_back(std::move(found));
  }

  static Found found_of(const Trial& trial, const DeepFlowAssumptions& here) {
    return {trial.time, trial.strategy, here.hidden, here.batch};
  }

  // On the chip that was found, all sizes of the model with all strategies.
  void search_model(const MadeChip& chip, NodeFound& found) {
    found.model = found.architecture;
    for (const double hidden : file_.models.hidden) {
      for (const double batch : file_.models.batch) {
        if (hidden == assumptions_.hidden && batch == assumptions_.batch) {
          continue;  // that is the architecture's
        }
        DeepFlowAssumptions here = assumptions_;
        here.hidden = hidden;
        here.batch = batch;
        Found other =
            found_of(search_of(here).rank(chip, strategies_of(here)).trials.front(), here);
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
    return model::macs_of(
        model::with_backward_pass(model::build_model(language_model(here), here.batch)));
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const OwnAssumptions& own_;
  const DataFolders& folders_;
  const Tick& tick_;
  std::vector<NodeFound> found_;
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
