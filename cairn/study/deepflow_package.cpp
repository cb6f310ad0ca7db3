#include "cairn/study/deepflow_package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/study/packages.hpp"

namespace cairn::study {

namespace {

// A different model, or different links inside packages.
struct PackageVariant {
  std::string name{};
  std::optional<double> hidden{};
  std::optional<double> batch{};
  std::optional<BytesPerSecond> bandwidth{};
};

const Schema<PackageVariant>& schema_of(const PackageVariant*) {
  static const auto kSchema =
      Schema<PackageVariant>("case", "a different model, or different links inside packages")
          .required("name", &PackageVariant::name, "name in results", "batch_8k")
          .optional("hidden", &PackageVariant::hidden, "hidden size, instead of the assumed")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("batch", &PackageVariant::batch, "samples, instead of the assumed")
          .whole()
          .at_least(1)
          .at_most(kLargest)
          .optional("bandwidth", &PackageVariant::bandwidth, "bandwidth of a link inside a package")
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
  std::vector<PackageVariant> cases{};
  std::vector<std::uint32_t> of_cases{};
  bool prune = true;
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  using F = StudyFile;
  static const auto kSchema =
      deepflow_schema<F>("packages, cases, assumptions and claims")
          .optional("devices", &F::devices, "nodes in all packages")
          .at_least(2)
          .at_most(4096)
          .optional("network", &F::network, "bandwidth per node to other packages, per direction")
          .positive()
          .optional(
              "bandwidth", &F::bandwidth, "bandwidth of a link inside a package, per direction")
          .positive()
          .required("nodes_per_package", &F::nodes_per_package, "ascending", "[1, 2, 4]")
          .at_least(1)
          .optional(
              "first_chip_search", &F::first_chip_search, "chip search for one node per package")
          .optional(
              "chip_search", &F::chip_search, "chip search for more nodes, from the previous chip")
          .optional("cases", &F::cases, "other models and links, one at a time")
          .optional("of_cases", &F::of_cases, "nodes per package in the cases")
          .at_least(1)
          .optional("prune", &F::prune, "prune strategies by lower bounds");
  return kSchema;
}

// Assumptions of this study only.
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
      Schema<A>("assumptions", "packages")
          .optional("node", &A::node, "logic node")
          .positive()
          .optional("inside", &A::inside, "interconnect of the nodes in a package")
          .optional("outside", &A::outside, "owner of the links to other packages")
          .optional("package_latency", &A::package_latency, "latency between nodes in a package")
          .not_negative()
          .optional("search_chips", &A::search_chips, "search chips, instead of the template's");
  return kSchema;
}

class Package {
 public:
  Package(const StudyFile& file,
          const DeepFlowAssumptions& assumptions,
          const OwnAssumptions& own,
          const DataFolders& folders,
          const Tick& tick)
      : file_(file), assumptions_(assumptions), own_(own), folders_(folders), tick_(tick) {}

  StudyResult run() {
    run_base();
    std::vector<std::string> cases;
    for (const PackageVariant& other : file_.cases) {
      run_case(other);
      cases.push_back(other.name);
    }
    StudyResult result = packages_found(found_, cases, file_.of_cases);
    judge(result, file_.claims);
    return result;
  }

 private:
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
             .connect =
                 [all = packages(nodes, bandwidth), latency = here.network_latency](
                     BytesPerSecond network) { return connect_packages(all, network, latency); }},
            tick_};
  }

  Ranked rank(const DeepFlowAssumptions& here,
              std::uint32_t nodes,
              BytesPerSecond bandwidth,
              const GeneratedChip& chip) const {
    const Packages all = packages(nodes, bandwidth);
    const auto strategies = strategies_in(all, here);
    return search_of(here, nodes, bandwidth)
        .rank(chip,
              strategies,
              nodes == 1 || !file_.prune ? std::vector<Seconds>{}
                                         : lower_bounds(all, here, chip, strategies));
  }

  [[nodiscard]] PackageFound found_on(const DeepFlowAssumptions& here,
                                      std::uint32_t nodes,
                                      BytesPerSecond bandwidth,
                                      const GeneratedChip& chip) const {
    const Ranked ranked = rank(here, nodes, bandwidth, chip);
    return {.nodes = nodes,
            .same_chip = ranked.strategies.front(),
            .best = ranked.strategies.front(),
            .chip = chip,
            .tried = ranked.strategies.size(),
            .pruned = ranked.pruned};
  }

  // Searches strategy and chip for each number of nodes per package.
  void run_base() {
    const std::string node = cairn::to_text(own_.node);
    chip::Template design = template_at(assumptions_, node, folders_);
    const SystemSearch alone = search_of(assumptions_, 1, file_.bandwidth);
    chip_ = alone.make_first(design, node);
    const auto best_on = [&](std::uint32_t nodes) {
      return [this, nodes](const GeneratedChip& chip) {
        return rank(assumptions_, nodes, file_.bandwidth, chip).strategies.front();
      };
    };
    if (own_.search_chips) {
      const SearchedSystem first{chip_, best_on(1)(chip_)};
      chip_ = alone.improve(design, first, file_.first_chip_search, best_on(1), &design).chip;
    }
    GeneratedChip before = chip_;  // made from `design`, the best with fewer nodes
    std::vector<PackageFound>& found = found_[kBaseCase];
    for (const std::uint32_t nodes : file_.nodes_per_package) {
      PackageFound package = found_on(assumptions_, nodes, file_.bandwidth, chip_);
      if (own_.search_chips) {
        SearchedSystem here{before, best_on(nodes)(before)};
        if (found.empty() ||
            here.best.time < found.back().best.time) {  // else the same chip is best
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
  }

  // Searches strategies only, on the chip found for that number of nodes, if any.
  void run_case(const PackageVariant& other) {
    DeepFlowAssumptions here = assumptions_;
    here.hidden = other.hidden.value_or(here.hidden);
    here.batch = other.batch.value_or(here.batch);
    const BytesPerSecond bandwidth = other.bandwidth.value_or(file_.bandwidth);
    std::vector<PackageFound>& found = found_[other.name];
    for (const std::uint32_t nodes : file_.of_cases) {
      const std::vector<PackageFound>& base = found_.at(kBaseCase);
      const auto same = std::ranges::find(base, nodes, &PackageFound::nodes);
      const GeneratedChip& chip = same == base.end() ? chip_ : same->chip;
      found.push_back(found_on(here, nodes, bandwidth, chip));
    }
  }

  const StudyFile& file_;
  const DeepFlowAssumptions& assumptions_;
  const OwnAssumptions& own_;
  const DataFolders& folders_;
  const Tick& tick_;
  GeneratedChip chip_{};  // the best for one node per package
  PackagesFound found_;
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
      reject(written, "is not 1, the baseline of the others");
    }
  }
}

StudyFile read_file(const Config& config) {
  auto file = read_config<StudyFile>(config);
  check_filled(config, {"nodes_per_package"});
  if (!file.cases.empty() && file.of_cases.empty()) {
    reject(config, "has cases, but no of_cases (nodes per package of the cases)");
  }
  check_nodes(file, config, "nodes_per_package");
  check_nodes(file, config, "of_cases");
  return file;
}

}  // namespace

PreparedStudy prepare_deepflow_package(const Config& config,
                                       const DataFolders& folders,
                                       const Tick& tick) {
  return prepare_deepflow<Package, OwnAssumptions>(read_file(config), folders, tick);
}

}  // namespace cairn::study
