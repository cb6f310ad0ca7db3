#include "cairn/study/ace_memory_nodes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "cairn/evaluate.hpp"

namespace cairn::study {

namespace {

struct Assumptions {
  double batch = 512.0;
  comm::Accounting accounting = comm::Accounting::kExact;
};

const Schema<Assumptions>& schema_of(const Assumptions*) {
  static const auto kSchema =
      Schema<Assumptions>("assumptions", "open choices")
          .optional("batch", &Assumptions::batch, "samples per step, all devices")
          .positive()
          .optional("accounting", &Assumptions::accounting, "counted memory accesses");
  return kSchema;
}

struct File : StudyKeys {
  Config device{};
  Config engine_of{};
  Config systems{};
  Config endpoints{};
  Config networks{};
};

const Schema<File>& schema_of(const File*) {
  static const auto kSchema =
      study_schema<File>("all combinations of systems, endpoints and networks")
          .required("device", &File::device, "the accelerator", "mc-dla")
          .required("engine_of", &File::engine_of, "device with the engine to add", "ace-npu")
          .required("systems", &File::systems, "platforms by name", "{mc_dla: mc-dla-ring}")
          .required(
              "endpoints", &File::endpoints, "endpoints by name", "{ideal: {executor: ideal}}")
          .required("networks", &File::networks, "designs without device and platform", "{...}");
  return kSchema;
}

constexpr const char* kIdeal = "ideal";

// Rounded to nanoseconds: smaller differences come from rounding of events.
double milliseconds(Seconds time) {
  constexpr double kPerNanosecond = 1e9;
  return std::round(time.si() * kPerNanosecond) / kPerNanosecond * 1e3;
}

// The study itself sets these keys of every endpoint.
void reject_fixed_keys(const Config& endpoint) {
  for (const auto& [key, by] : {std::pair("accounting", "assumptions.accounting"),
                                std::pair("engine", "engine_of, with unlimited size")}) {
    if (const Config* written = endpoint.find(key)) {
      reject(*written, fmt::format("is set by {} (remove it here)", by));
    }
  }
}

class EngineWithMemoryNodes {
 public:
  EngineWithMemoryNodes(const File& file,
                        const Assumptions& assumptions,
                        const DataFolders& folders,
                        const Tick& tick)
      : file_(file), assumptions_(assumptions), folders_(folders), tick_(tick) {
    result_.name = "ace-memory-nodes";
    const chip::Device with_engine = read(file.engine_of);
    if (!with_engine.fabric.engine) {
      throw ConfigError(file.engine_of.where, with_engine.name + " has no collectives engine");
    }
    fabric_ = with_engine.fabric;
    // Unlimited: the question is memory and links, not the engine's size.
    fabric_.engine->sram.reset();
    fabric_.engine->fsms.reset();
  }

  StudyResult run() {
    for (std::size_t s = 0; s < file_.systems.keys.size(); ++s) {
      run_system(file_.systems.keys[s], file_.systems.items[s]);
    }
    judge(result_, file_.claims);
    return std::move(result_);
  }

 private:
  [[nodiscard]] chip::Device read(const Config& config) const {
    auto device = chip::read_device(config, folders_.devices);
    if (!device) {
      throw ConfigError(config.where, device.reason().detail);
    }
    return std::move(device).value();
  }

  void run_system(const std::string& system, const Config& platform) {
    Table table{
        .name = system,
        .title = system + ": step time, exposed memory transfers and communication (ms)",
        .columns = {"network", "endpoint", "step", "memory", "communication", "over ideal"}};
    report::Chart chart{.name = "beyond_ideal_" + system,
                        .title = system + ": step time beyond that of ideal endpoints",
                        .kind = report::ChartKind::kGroupedBars,
                        .x = {.title = "network"},
                        .y = {.title = "step time over ideal - 1 (%)"},
                        .categories = file_.networks.keys};
    for (std::size_t e = 1; e < file_.endpoints.keys.size(); ++e) {
      chart.series.push_back({.name = file_.endpoints.keys[e]});
    }
    std::map<std::string, double> lost;  // by endpoint: mean step time over ideal
    for (std::size_t n = 0; n < file_.networks.keys.size(); ++n) {
      const std::string& network = file_.networks.keys[n];
      std::map<std::string, double> steps;
      for (std::size_t e = 0; e < file_.endpoints.keys.size(); ++e) {
        const std::string& endpoint = file_.endpoints.keys[e];
        const explain::StepResult step =
            evaluate_one(file_.networks.items[n], platform, file_.endpoints.items[e]);
        steps[endpoint] = step.step_time.si();
        const std::string of = fmt::format("{}.{}.{}", system, network, endpoint);
        const double over = steps[endpoint] / steps.at(kIdeal);
        lost[endpoint] += over / static_cast<double>(file_.networks.keys.size());
        result_.findings["step." + of] = step.step_time.si() * 1e3;
        result_.findings["over_ideal." + of] = over;
        if (e > 0) {
          chart.series[e - 1].y.push_back(100.0 * (over - 1.0));
        }
        table.rows.push_back({network,
                              endpoint,
                              milliseconds(step.step_time),
                              milliseconds(step.breakdown.memory_exposed),
                              milliseconds(step.breakdown.communication_exposed),
                              over});
      }
    }
    for (const auto& [endpoint, over] : lost) {
      result_.findings[fmt::format("over_ideal.{}.mean.{}", system, endpoint)] = over;
    }
    result_.tables.push_back(std::move(table));
    result_.charts.push_back(std::move(chart));
  }

  [[nodiscard]] explain::StepResult evaluate_one(const Config& network,
                                                 const Config& platform,
                                                 const Config& endpoint) const {
    if (tick_) {
      tick_();
    }
    Config config = network;
    for (const auto& [key, value] :
         {std::pair("device", &file_.device), std::pair("platform", &platform)}) {
      config.keys.emplace_back(key);
      config.items.push_back(*value);
    }
    auto read = read_design(config, folders_);
    if (!read) {
      throw ConfigError(network.where, read.reason().detail);
    }
    Design design = std::move(read).value();
    design.strategy.batch = assumptions_.batch;
    design.device.fabric = fabric_;
    reject_fixed_keys(endpoint);
    design.machine.endpoint = comm::endpoint_of(endpoint, design.device);
    comm::check_leaves_resources(endpoint, design.device, design.machine.endpoint);
    design.machine.endpoint.accounting = assumptions_.accounting;
    // Chunks hide the latency of long rings, so every endpoint gets them.
    design.machine.endpoint.engine.chunk = fabric_.engine->chunk;
    auto result = evaluate(design);
    if (!result) {
      throw ConfigError(network.where, result.reason().limit() + ": " + result.reason().detail);
    }
    return std::move(result).value();
  }

  const File& file_;
  const Assumptions& assumptions_;
  const DataFolders& folders_;
  const Tick& tick_;
  chip::FabricInterface fabric_{};
  StudyResult result_;
};

File read_file(const Config& config) {
  auto file = read_config<File>(config);
  for (const Config* map : {&file.systems, &file.endpoints, &file.networks}) {
    if (map->kind != Config::Kind::kMap || map->keys.empty()) {
      reject(*map, "is not a map, or empty");
    }
  }
  if (file.endpoints.keys.front() != kIdeal) {
    reject(file.endpoints, "does not begin with ideal, the baseline of the others");
  }
  return file;
}

}  // namespace

PreparedStudy prepare_ace_memory_nodes(const Config& config,
                                       const DataFolders& folders,
                                       const Tick& tick) {
  const File file = read_file(config);
  return {.assumptions = file.assumptions, .run = [=, &folders](const Config& values) {
            const auto assumptions = read_config<Assumptions>(values);
            return EngineWithMemoryNodes(file, assumptions, folders, tick).run();
          }};
}

}  // namespace cairn::study
