#include "cairn/study/co_design.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/explore/explore.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/study/co_design_findings.hpp"

namespace cairn::study {

namespace {

struct Assumptions {
  Config model{};
  Config training{};
  double batch = 64.0;
  Watts power{3200.0};
  Dollars price{8000.0};
  Seconds launch{5e-6};
};

const Schema<Assumptions>& schema_of(const Assumptions*) {
  using A = Assumptions;
  static const auto kSchema =
      Schema<A>("assumptions", "the training job and its budget")
          .required("model", &A::model, "model: a name, a file or a map", "vgg-e")
          .required("training", &A::training, "training settings", "{optimizer: sgd}")
          .optional("batch", &A::batch, "samples per step, all devices")
          .whole()
          .at_least(1)
          .optional("power", &A::power, "design power of the whole system")
          .positive()
          .optional("price", &A::price, "maximum price of all devices and memory-nodes")
          .positive()
          .optional("launch", &A::launch, "launch latency of a kernel")
          .not_negative();
  return kSchema;
}

struct Store {
  std::string name{};
  Config platform{};
  Dollars price{};
};

const Schema<Store>& schema_of(const Store*) {
  static const auto kSchema =
      Schema<Store>("store", "backing store of device memory")
          .required("name", &Store::name, "name in results", "host")
          .required("platform", &Store::platform, "a name, a file or a map", "dc-dla")
          .optional("price", &Store::price, "price of its memory-nodes")
          .not_negative();
  return kSchema;
}

struct Executor {
  std::string name{};
  std::string chip{};
  Config endpoint{};
};

const Schema<Executor>& schema_of(const Executor*) {
  static const auto kSchema =
      Schema<Executor>("endpoint", "executor of collectives")
          .required("name", &Executor::name, "name in results", "engine")
          .required("chip", &Executor::chip, "device template with this endpoint", "v100-ace")
          .required("endpoint", &Executor::endpoint, "a name, a file or a map", "engine");
  return kSchema;
}

struct File : StudyKeys {
  std::vector<std::string> nodes{};
  std::vector<std::string> memories{};
  std::vector<Store> stores{};
  std::vector<Executor> endpoints{};
  std::vector<std::string> strategies{};
};

const Schema<File>& schema_of(const File*) {
  static const auto kSchema =
      study_schema<File>("choices of four parts; the first of each is the baseline")
          .required("nodes", &File::nodes, "logic nodes", "[12 nm, 7 nm]")
          .required("memories", &File::memories, "main memory technologies", "[hbm2]")
          .required("stores", &File::stores, "backing stores", "[...]")
          .required("endpoints", &File::endpoints, "executors of collectives", "[...]")
          .required("strategies", &File::strategies, "parallelization strategies", "[d8]");
  return kSchema;
}

// The index of energy among explore's metrics.
const std::size_t kEnergy = static_cast<std::size_t>(
    std::ranges::find(explore::metrics(), "energy", &explore::Metric::name) -
    explore::metrics().begin());

std::string list_of(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

class CoDesign {
 public:
  CoDesign(const File& file,
           const Assumptions& assumptions,
           const DataFolders& folders,
           const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {
    for (const std::string& node : file.nodes) {
      for (const std::string& memory : file.memories) {
        designs_.choices.names[0].push_back(node + ", " + memory);
      }
    }
    for (const Store& store : file.stores) {
      designs_.choices.names[1].push_back(store.name);
    }
    for (const Executor& executor : file.endpoints) {
      designs_.choices.names[2].push_back(executor.name);
    }
    designs_.choices.names[3] = file.strategies;
    std::size_t all = 1;
    for (const auto& names : designs_.choices.names) {
      all *= names.size();
    }
    designs_.choices.times.resize(all);
    designs_.trials.assign(all, {.point = {}, .outcome = search::Outcome::infeasible(2)});
    designs_.device_power.resize(file.stores.size());
  }

  StudyResult run() {
    for (std::size_t store = 0; store < file_.stores.size(); ++store) {
      for (std::size_t executor = 0; executor < file_.endpoints.size(); ++executor) {
        explore_all(store, executor);
      }
    }
    if (!designs_.choices.time(Choice{})) {
      throw ConfigError(file_.assumptions.where,
                        fmt::format("the baseline design is infeasible, or costs more than {}{}",
                                    to_text(assumptions_.price),
                                    reasons_.empty() ? "" : ": " + reasons_.front()));
    }
    StudyResult result = co_design_found(designs_);
    judge(result, file_.claims);
    return result;
  }

 private:
  // The power budget left for each device.
  Watts device_power(const Store& store) const {
    const platform::Platform platform =
        platform::read_platform(store.platform, folders_.platform_presets());
    const Watts left = assumptions_.power - platform::power_without_devices(platform);
    if (left <= Watts(0.0)) {
      reject(store.platform,
             fmt::format("leaves no power for devices: it takes all of the {}",
                         to_text(assumptions_.power)));
    }
    return left / static_cast<double>(platform.device_count());
  }

  void explore_all(std::size_t store, std::size_t executor) {
    const Watts power = device_power(file_.stores[store]);
    designs_.device_power[store] = power;
    const auto& [name, chip, endpoint] = file_.endpoints[executor];
    const std::string text = fmt::format(
        "{{design: {{model: {}, device: {{template: {}, launch: {}}}, platform: {}, endpoint: {}, "
        "strategy: {{batch: {}}}, training: {}, memory: {{offload: on_demand}}}}, vary: "
        "{{device.template.power: [{}], device.template.node: {}, "
        "device.template.main_memory.technology: {}, strategy.spread: {}}}, objectives: "
        "[step_time, cost], algorithm: {{method: exhaustive}}}}",
        to_text(assumptions_.model),
        chip,
        to_text(assumptions_.launch),
        to_text(file_.stores[store].platform),
        to_text(endpoint),
        assumptions_.batch,
        to_text(assumptions_.training),
        to_text(power),
        list_of(file_.nodes),
        list_of(file_.memories),
        list_of(file_.strategies));
    const explore::Request request =
        explore::read_request(parse_config(text, file_.assumptions.where.file), folders_, {});
    const explore::Exploration found =
        explore::explore(request, folders_, {.on_done = [&](const explore::DesignTrial&) {
                           if (tick_) {
                             tick_();
                           }
                         }});
    for (const explore::DesignTrial& trial : found.trials) {
      const auto technology = static_cast<std::size_t>(trial.point[1]) * file_.memories.size() +
                              static_cast<std::size_t>(trial.point[2]);
      const std::size_t place = designs_.choices.place(
          {technology, store, executor, static_cast<std::size_t>(trial.point[3])});
      if (trial.finding.figures.empty()) {
        reasons_.push_back(trial.finding.reason.limit() + ": " + trial.finding.reason.detail);
        continue;
      }
      search::Outcome& outcome = designs_.trials[place].outcome;
      outcome = explore::outcome_of(trial.finding, request);
      outcome.objectives[1] += file_.stores[store].price.si();
      outcome.constraint_violation = std::max(
          outcome.constraint_violation, outcome.objectives[1] / assumptions_.price.si() - 1.0);
      if (outcome.is_feasible()) {
        designs_.choices.times[place] = outcome.objectives[0];
      } else {
        ++designs_.over_budget;
      }
      designs_.details[place] = {trial.finding.bound.text, trial.finding.figures[kEnergy]};
    }
  }

  const File& file_;
  const Assumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  EvaluatedDesigns designs_{};
  std::vector<std::string> reasons_;  // why designs are infeasible
};

File read_file(const Config& config) {
  auto file = read_config<File>(config);
  check_filled(config, {"nodes", "memories", "stores", "endpoints", "strategies"});
  return file;
}

}  // namespace

PreparedStudy prepare_co_design(const Config& config,
                                const DataFolders& folders,
                                const Tick& tick) {
  const File file = read_file(config);
  return {.assumptions = file.assumptions, .run = [=, &folders](const Config& values) {
            const auto assumptions = read_config<Assumptions>(values);
            return CoDesign(file, assumptions, folders, tick).run();
          }};
}

}  // namespace cairn::study
