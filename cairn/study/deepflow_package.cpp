#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/packages.hpp"

namespace cairn::study {

namespace {

// Another model, or other links inside packages.
struct Case {
  std::string name{};
  std::optional<double> hidden{};
  std::optional<double> batch{};
  std::optional<BytesPerSecond> bandwidth{};
};

const Schema<Case>& schema_of(const Case*) {
  static const auto kSchema =
      Schema<Case>("case", "another model, or other links inside packages")
          .required("name", &Case::name, "what results call it", "batch_8k")
          .optional("hidden", &Case::hidden, "width of the hidden state, instead")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("batch", &Case::batch, "samples, instead")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("bandwidth", &Case::bandwidth, "of a link inside a package, instead")
          .positive();
  return kSchema;
}

struct StudyFile : DeepFlowFile {
  std::uint32_t devices = 512;
  BytesPerSecond network{100e9};
  BytesPerSecond bandwidth{2e12};
  std::vector<std::uint32_t> nodes_per_package{};
  ChipSearch first_chip_search{};
  ChipSearch chip_search{};
  std::vector<Case> cases{};
  std::vector<std::uint32_t> of_cases{};
  bool prune = true;
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  using F = StudyFile;
  static const auto kSchema =
      deepflow_schema<F>("packages, cases, assumptions and claims")
          .optional("devices", &F::devices, "nodes of all packages")
          .at_least(2)
          .at_most(4096)
          .optional("network", &F::network, "of a node to other packages, each way")
          .positive()
          .optional("bandwidth", &F::bandwidth, "of a link inside a package, each way")
          .positive()
          .required("nodes_per_package", &F::nodes_per_package, "from the least", "[1, 2, 4]")
          .at_least(1)
          .optional("first_chip_search",
                    &F::first_chip_search,
                    "how the chip is searched that is alone in its package")
          .optional("chip_search", &F::chip_search, "and those of others, from the one before")
          .optional("cases", &F::cases, "other models and links, each alone")
          .optional("of_cases", &F::of_cases, "nodes per package of these")
          .at_least(1)
          .optional("prune", &F::prune, "leave out strategies that cannot be the fastest");
  return kSchema;
}

// Of this study only.
struct OwnAssumptions {
  Metres node{7e-9};
  Inside inside = Inside::kMesh;
  Outside outside = Outside::kNode;
  Seconds package_latency{5e-6};
  bool search_chips = true;
};

const Schema<OwnAssumptions>& schema_of(const OwnAssumptions*) {
  using A = OwnAssumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "of packages")
          .optional("node", &A::node, "of logic")
          .positive()
          .optional("inside", &A::inside, "how the nodes of a package are joined")
          .optional("outside", &A::outside, "who has the links to other packages")
          .optional("package_latency", &A::package_latency, "from node to node of a package")
          .not_negative()
          .optional("search_chips", &A::search_chips, "or take the template's");
  return kSchema;
}

// A number of nodes per package, and what is found for it.
struct PackageFound {
  std::uint32_t nodes = 1;
  Trial same_chip{};  // the chip that is best alone in its package
  Trial best{};       // one of its own
  MadeChip chip{};    // that one
  std::size_t tried = 0;
  std::size_t pruned = 0;
};

class Package {
 public:
  Package(const StudyFile& file,
          const DeepFlowAssumptions& assumptions,
          const OwnAssumptions& own,
          const DataFolders& folders,
          const Tick& tick)
      : file_(file), assumptions_(assumptions), own_(own), folders_(folders), tick_(tick) {}

  StudyResult run() {
    result_.name = "deepflow-package";
    run_base();
    for (const Case& other : file_.cases) {
      run_case(other);
    }
    add_tables();
    add_chart();
    result_.absent["most_gain."] = "no such case is listed";
    result_.absent["beyond_4."] = "no such case, no 4 nodes per package or none beyond are listed";
    result_.absent["gain."] = "no such case or number of nodes per package is listed";
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  static constexpr const char* kBase = "base";

  [[nodiscard]] Packages packages(std::uint32_t nodes, BytesPerSecond bandwidth) const {
    return {.devices = file_.devices,
            .nodes = nodes,
            .inside = own_.inside,
            .bandwidth = bandwidth,
            .latency = own_.package_latency,
            .outside = own_.outside};
  }

  [[nodiscard]] SystemSearch search_of(const DeepFlowAssumptions& here,
                                       std::uint32_t nodes,
                                       BytesPerSecond bandwidth) const {
    return {here,
            {.network = file_.network,
             .joined = [all = packages(nodes, bandwidth), latency = here.network_latency](
                           BytesPerSecond network) { return joined(all, network, latency); }},
            tick_};
  }

  Ranked rank(const DeepFlowAssumptions& here,
              std::uint32_t nodes,
              BytesPerSecond bandwidth,
              const MadeChip& chip) const {
    const Packages all = packages(nodes, bandwidth);
    const auto strategies = strategies_in(all, here);
    return search_of(here, nodes, bandwidth)
        .rank(chip,
              strategies,
              nodes == 1 || !file_.prune ? std::vector<Seconds>{}
                                         : least_times(all, here, chip, strategies));
  }

  // Strategy and chip for each number of nodes per package.
  void run_base() {
    const std::string node = cairn::to_text(own_.node);
    chip::Template design = template_at(assumptions_, node, folders_);
    const SystemSearch alone = search_of(assumptions_, 1, file_.bandwidth);
    chip_ = alone.make_first(design, node);
    const auto best_on = [&](std::uint32_t nodes) {
      return [this, nodes](const MadeChip& chip) {
        return rank(assumptions_, nodes, file_.bandwidth, chip).trials.front();
      };
    };
    if (own_.search_chips) {
      const SearchedSystem first{chip_, best_on(1)(chip_)};
      chip_ = alone.improve(design, first, file_.first_chip_search, best_on(1), &design).chip;
    }
    MadeChip before = chip_;  // of `design`, the best of a package with fewer nodes
    std::vector<PackageFound>& found = found_[kBase];
    for (const std::uint32_t nodes : file_.nodes_per_package) {
      const Ranked ranked = rank(assumptions_, nodes, file_.bandwidth, chip_);
      PackageFound package{.nodes = nodes,
                           .same_chip = ranked.trials.front(),
                           .best = ranked.trials.front(),
                           .chip = chip_,
                           .tried = ranked.trials.size(),
                           .pruned = ranked.pruned};
      if (own_.search_chips) {
        SearchedSystem here{before, best_on(nodes)(before)};
        if (found.empty() ||
            here.best.time < found.back().best.time) {  // else: a chip for the same
          here = search_of(assumptions_, nodes, file_.bandwidth)
                     .improve(design, here, file_.chip_search, best_on(nodes), &design);
        }
        before = here.chip;
        if (here.best.time < package.best.time) {
          package.best = here.best;
          package.chip = here.chip;
        }
      }
      found.push_back(std::move(package));
    }
    find(kBase);
  }

  // Strategies only, on the chip that was found for as many nodes in a package, if it was.
  void run_case(const Case& other) {
    DeepFlowAssumptions here = assumptions_;
    here.hidden = other.hidden.value_or(here.hidden);
    here.batch = other.batch.value_or(here.batch);
    const BytesPerSecond bandwidth = other.bandwidth.value_or(file_.bandwidth);
    std::vector<PackageFound>& found = found_[other.name];
    for (const std::uint32_t nodes : file_.of_cases) {
      const std::vector<PackageFound>& base = found_.at(kBase);
      const auto same = std::ranges::find(base, nodes, &PackageFound::nodes);
      const MadeChip& chip = same == base.end() ? chip_ : same->chip;
      const Ranked ranked = rank(here, nodes, bandwidth, chip);
      found.push_back({.nodes = nodes,
                       .same_chip = ranked.trials.front(),
                       .best = ranked.trials.front(),
                       .chip = chip,
                       .tried = ranked.trials.size(),
                       .pruned = ranked.pruned});
    }
    find(other.name);
  }

  void find(const std::string& name) {
    const std::vector<PackageFound>& found = found_.at(name);
    const auto text = [](const PackageFound& package) {
      return fmt::format("{:.3f} s by {} with {} in a package",
                         package.best.time.si(),
                         package.best.strategy,
                         package.nodes);
    };
    const PackageFound& first = found.front();
    const PackageFound& best =
        *std::ranges::min_element(found, {}, [](const auto& package) { return package.best.time; });
    for (const PackageFound& package : found) {
      result_.findings[fmt::format("gain.{}.{}", name, package.nodes)] =
          first.best.time / package.best.time;
      result_.findings[fmt::format("gain_same_chip.{}.{}", name, package.nodes)] =
          first.same_chip.time / package.same_chip.time;
      result_.findings[fmt::format("tried.{}.{}", name, package.nodes)] =
          static_cast<double>(package.tried);
    }
    result_.findings["most_gain." + name] = first.best.time / best.best.time;
    result_.reasons["most_gain." + name] = text(first) + ", " + text(best);
    const auto four = std::ranges::find(found, 4U, &PackageFound::nodes);
    if (four != found.end() && std::next(four) != found.end()) {
      const PackageFound& beyond = *std::min_element(
          std::next(four), found.end(), [](const PackageFound& one, const PackageFound& other) {
            return one.best.time < other.best.time;
          });
      result_.findings["beyond_4." + name] = four->best.time / beyond.best.time;
      result_.reasons["beyond_4." + name] = text(*four) + ", " + text(beyond);
    }
  }

  void add_tables() {
    Table base{.name = "packages",
               .title =
                   "Nodes in a package: the best strategy and chip; then the best strategy on "
                   "one chip for all, the best for a node alone",
               .columns = {"nodes",
                           "step time (s)",
                           "gain",
                           "by",
                           "wait for collectives (s)",
                           "one chip (s)",
                           "gain on it",
                           "by, on it",
                           "strategies tried",
                           "pruned"}};
    const std::vector<PackageFound>& found = found_.at(kBase);
    for (const PackageFound& package : found) {
      base.rows.push_back({fmt::format("{}", package.nodes),
                           package.best.time.si(),
                           found.front().best.time / package.best.time,
                           package.best.strategy,
                           package.best.communication_exposed.si(),
                           package.same_chip.time.si(),
                           found.front().same_chip.time / package.same_chip.time,
                           package.same_chip.strategy,
                           fmt::format("{}", package.tried),
                           fmt::format("{}", package.pruned)});
    }
    Table cases{.name = "cases",
                .title =
                    "Other models and links: step time in seconds by the best strategy, on "
                    "the chip found above for as many nodes in a package",
                .columns = {"case"}};
    for (const std::uint32_t nodes : file_.of_cases) {
      cases.columns.push_back(fmt::format("{} in a package", nodes));
      cases.columns.push_back(fmt::format("by, of {}", nodes));
    }
    cases.columns.emplace_back("most gain");
    for (const Case& other : file_.cases) {
      std::vector<Cell> row{other.name};
      for (const PackageFound& package : found_.at(other.name)) {
        row.emplace_back(package.best.time.si());
        row.emplace_back(package.best.strategy);
      }
      row.emplace_back(result_.findings.at("most_gain." + other.name));
      cases.rows.push_back(std::move(row));
    }
    result_.tables = {std::move(base), std::move(cases)};
  }

  void add_chart() {
    report::Chart chart{.name = "fig11",
                        .title = "Gain of several nodes in a package",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "nodes in a package"},
                        .y = {.title = "times as fast as one"},
                        .categories = {}};
    report::Series own{.name = "strategy and chip"};
    report::Series same{.name = "strategy"};
    const std::vector<PackageFound>& found = found_.at(kBase);
    for (const PackageFound& package : found) {
      chart.categories.push_back(fmt::format("{}", package.nodes));
      own.y.push_back(found.front().best.time / package.best.time);
      same.y.push_back(found.front().same_chip.time / package.same_chip.time);
    }
    chart.series = {std::move(own), std::move(same)};
    result_.charts.push_back(std::move(chart));
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const OwnAssumptions& own_;
  const DataFolders& folders_;
  const Tick& tick_;
  MadeChip chip_{};                                         // the best alone in its package
  std::map<std::string, std::vector<PackageFound>> found_;  // by case
  StudyResult result_;
};

void check_nodes(const StudyFile& file, const Config& config, std::string_view key) {
  const Config* list = config.find(key);
  if (list == nullptr) {
    return;
  }
  const auto& numbers = key == "of_cases" ? file.of_cases : file.nodes_per_package;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Config& written = list->kind == Config::Kind::kList ? list->items[i] : *list;
    if (file.devices % numbers[i] != 0) {
      reject(written, fmt::format("does not divide the {} devices", file.devices));
    }
    if (i == 0 && numbers[i] != 1) {
      reject(written, "is not 1, with which the others are compared");
    }
  }
}

StudyFile read_file(const Config& config) {
  auto file = read_config<StudyFile>(config);
  check_filled(config, {"nodes_per_package"});
  if (!file.cases.empty() && file.of_cases.empty()) {
    reject(config, "has cases, but no of_cases");
  }
  check_nodes(file, config, "nodes_per_package");
  check_nodes(file, config, "of_cases");
  return file;
}

StudyResult run_under(const Config& values,
                      const StudyFile& file,
                      const DataFolders& folders,
                      const Tick& tick) {
  Config rest = values;
  const auto own = read_config<OwnAssumptions>(
      take(rest, {"node", "inside", "outside", "package_latency", "search_chips"}));
  const DeepFlowAssumptions assumptions = read_deepflow_assumptions(rest);
  return Package(file, assumptions, own, folders, tick).run();
}

}  // namespace

StudyResult run_deepflow_package(const Config& config,
                                 const DataFolders& folders,
                                 const Tick& tick) {
  const StudyFile file = read_file(config);
  return run_under(values_of(file.assumptions), file, folders, tick);
}

std::vector<ClaimRange> range_deepflow_package(const Config& config,
                                               const DataFolders& folders,
                                               const Tick& tick) {
  const StudyFile file = read_file(config);
  return range_over(file.assumptions, file.variations, [&](const Config& values) {
    return run_under(values, file, folders, tick);
  });
}

}  // namespace cairn::study
