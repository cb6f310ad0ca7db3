#include "cairn/study/deepflow_parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/tech/library.hpp"

namespace cairn::study {

namespace {

// What steps of two models are normalized by.
enum class SameWork : std::uint8_t {
  kFlops,    // multiply-accumulates
  kSamples,  // samples, for any model
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
  static const auto kSchema =
      Schema<Models>("models", "model sizes to search")
          .required("hidden", &Models::hidden, "hidden sizes", "[8192, 16384]")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .required("batch", &Models::batch, "batch sizes", "[8192, 16384]")
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
      deepflow_schema<F>("nodes, search spaces, assumptions and claims")
          .optional("devices", &F::devices, "devices around one switch")
          .at_least(2)
          .at_most(4096)
          .optional("network", &F::network, "bandwidth per device and direction")
          .positive()
          .required("nodes", &F::nodes, "logic nodes, oldest first", "[12 nm, 7 nm]")
          .optional("chip_search", &F::chip_search, "search of the chip")
          .required("models", &F::models, "model sizes to search", "{...}");
  return kSchema;
}

// Assumptions of this study only.
struct OwnAssumptions {
  Links links = Links::kGiven;
  SameWork same_work = SameWork::kFlops;
};

const Schema<OwnAssumptions>& schema_of(const OwnAssumptions*) {
  using A = OwnAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "the search")
          .optional("links", &A::links, "source of the bandwidth between devices")
          .optional("same_work", &A::same_work, "work that models are compared for");
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
      throw ConfigError(assumptions_.where("scaling"), "has none of the listed logic nodes");
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
             .connect =
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
    const GeneratedChip first = search.make_first(design, found.text);
    const Ranked ranked = search.rank(first, strategies);
    const auto data = std::ranges::find(ranked.strategies, Family::kData, &RankedStrategy::family);
    if (data == ranked.strategies.end()) {
      throw ConfigError(assumptions_.where("batch"),
                        "makes data parallelism, the baseline, infeasible");
    }
    found.naive = found_of(*data, assumptions_);
    found.parallelism = found_of(ranked.strategies.front(), assumptions_);
    const SearchedSystem best =
        search.improve(design,
                       {first, ranked.strategies.front()},
                       file_.chip_search,
                       [&](const GeneratedChip& chip) {
                         return search.rank(chip, strategies).strategies.front();
                       });
    found.architecture = found_of(best.best, assumptions_);
    found.chip = best.chip;
    search_model(best.chip, found);
    found_.push_back(std::move(found));
  }

  static Found found_of(const RankedStrategy& trial, const DeepFlowAssumptions& here) {
    return {trial.time, trial.strategy, here.hidden, here.batch};
  }

  // Evaluates all model sizes with all strategies on the chip that was found.
  void search_model(const GeneratedChip& chip, NodeFound& found) {
    found.model = found.architecture;
    for (const double hidden : file_.models.hidden) {
      for (const double batch : file_.models.batch) {
        if (hidden == assumptions_.hidden && batch == assumptions_.batch) {
          continue;  // evaluated as `architecture`
        }
        DeepFlowAssumptions here = assumptions_;
        here.hidden = hidden;
        here.batch = batch;
        Found other =
            found_of(search_of(here).rank(chip, strategies_of(here)).strategies.front(), here);
        other.time = other.time / (work_of(here) / work_of(assumptions_));
        if (other.time < found.model.time) {
          found.model = other;
        }
      }
    }
  }

  // The work of a step, by which models are compared.
  [[nodiscard]] double work_of(const DeepFlowAssumptions& here) const {
    if (own_.same_work == SameWork::kSamples) {
      return here.batch;
    }
    const auto forward = model::build_model(language_model(here), here.batch);
    if (!forward) {
      throw ConfigError(here.where("batch"), forward.reason().detail);
    }
    return model::macs_of(model::with_backward_pass(*forward));
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

}  // namespace

PreparedStudy prepare_deepflow_parallelism(const Config& config,
                                           const DataFolders& folders,
                                           const Tick& tick) {
  return prepare_deepflow<Parallelism, OwnAssumptions>(read_file(config), folders, tick);
}

}  // namespace cairn::study
