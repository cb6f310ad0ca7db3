#include "cairn/study/ace.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "cairn/study/ace_run.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/deepflow.hpp"

namespace cairn::study {

const Schema<AceAssumptions>& schema_of(const AceAssumptions*) {
  static const auto kSchema =
      Schema<AceAssumptions>("assumptions", "what the ACE paper leaves unsaid")
          .optional("payload", &AceAssumptions::payload, "of the all-reduce")
          .positive()
          .optional("chunks", &AceAssumptions::chunks, "that it is cut into")
          .at_least(1)
          .at_most(65536)
          .optional("latency", &AceAssumptions::latency, "of links counts")
          .optional("accounting", &AceAssumptions::accounting, "which accesses to memory count")
          .optional("compute_scale",
                    &AceAssumptions::compute_scale,
                    "what kernels take, over what they take by our model of the NPU")
          .positive()
          .optional("fp32_gradients",
                    &AceAssumptions::fp32_gradients,
                    "of weights: added up, and summed over NPUs, in fp32")
          .optional("bucket",
                    &AceAssumptions::bucket,
                    "gradients are summed together until there are so many bytes")
          .not_negative()
          .optional("chunk", &AceAssumptions::chunk, "of collectives of training steps")
          .positive()
          .optional("start", &AceAssumptions::start, "of a collective, before its first message")
          .not_negative()
          .optional("link_efficiency",
                    &AceAssumptions::link_efficiency,
                    "of training steps: part of the links' bandwidth that is left for payload")
          .positive()
          .at_most(1.0)
          .optional("order", &AceAssumptions::order, "of collectives")
          .optional("optimizer", &AceAssumptions::optimizer, "of weights")
          .optional("lookups",
                    &AceAssumptions::lookups,
                    "rows of each table that a sample of the workload with tables reads")
          .positive()
          .optional("background_memory",
                    &AceAssumptions::background_memory,
                    "bandwidth, with the cores that move it, of tables in the background")
          .positive()
          .optional("engine_payload", &AceAssumptions::engine_payload, "of the engine's sweep")
          .positive()
          .optional("engine_latency",
                    &AceAssumptions::engine_latency,
                    "of links in the engine's sweep, by dimension")
          .not_negative()
          .optional("engine_split",
                    &AceAssumptions::engine_split,
                    "of the engine's memory and state machines over phases");
  return kSchema;
}

const Schema<AceFile>& schema_of(const AceFile*) {
  static const auto kSchema =
      Schema<AceFile>("study", "sizes, sweeps, assumptions and claims")
          .optional("description", &AceFile::description, "one line")
          .optional("source", &AceFile::source, "the paper")
          .optional("study", &AceFile::study, "which study, if the file is called otherwise")
          .required("assumptions", &AceFile::assumptions, "what the paper leaves unsaid", "{...}")
          .required("device", &AceFile::device, "the NPU", "ace-npu")
          .required("platform", &AceFile::platform, "but for its dimensions", "{topology: torus}")
          .required("sizes", &AceFile::sizes, "L x V x H of tori", "[[4, 4, 4]]")
          .required("sweep_sizes", &AceFile::sweep_sizes, "of the sweep", "[[4, 4, 4]]")
          .required("memory", &AceFile::memory, "given to communication", "[128 GB/s]")
          .positive()
          .required("sms", &AceFile::sms, "given to communication", "[2, 6]")
          .at_least(1)
          .required("engine", &AceFile::engine, "sweep over the engine's size", "{...}")
          .required("configurations", &AceFile::configurations, "endpoints by name", "{...}")
          .required("workloads", &AceFile::workloads, "designs without a platform", "{...}")
          .optional("steps", &AceFile::steps, "of training, in a row")
          .at_least(1)
          .at_most(memory::kMostSteps)
          .required("loop", &AceFile::loop, "tables in the background", "{...}")
          .required("motivation", &AceFile::motivation, "an all-reduce beside kernels", "{...}")
          .required("chip_area", &AceFile::chip_area, "of an NPU without the engine", "815 mm2")
          .positive()
          .required("claims", &AceFile::claims, "the paper's numbers", "[...]");
  return kSchema;
}

namespace {

// What it names is there.
void check_loop(const Config& loop, const AceFile& file) {
  if (file.loop.sweep_size.size() != 3) {
    reject(*loop.find("sweep_size"), "is no torus (expected 3 dimensions)");
  }
  read_name(*loop.find("workload"), file.workloads.keys);
  for (const Config& name : loop.find("configurations")->items) {
    read_name(name, file.configurations.keys);
  }
}

AceFile read_file(const Config& config) {
  auto file = read_config<AceFile>(config);
  check_filled(config, {"sizes", "sweep_sizes", "memory", "sms"});
  check_filled(*config.find("engine"), {"sizes", "sram", "fsms"});
  check_filled(*config.find("loop"), {"sweep_size", "configurations", "lookups", "memory"});
  for (const auto& [key, sizes] : {std::pair("sizes", &file.sizes),
                                   std::pair("sweep_sizes", &file.sweep_sizes),
                                   std::pair("engine", &file.engine.sizes)}) {
    for (const Dims& dims : *sizes) {
      if (dims.size() != 3) {
        reject(*config.find(key), fmt::format("has {} dimensions (expected 3)", dims.size()));
      }
    }
  }
  check_loop(*config.find("loop"), file);
  for (const Config* map : {&file.platform, &file.configurations, &file.workloads}) {
    if (map->kind != Config::Kind::kMap) {
      reject(*map, "is not a map");
    }
  }
  return file;
}

// What was found before: --range changes one assumption at a time, and most parts depend on few.
struct AceKnown {
  BoundedCache<EndpointInputs, const StudyResult, 8> endpoints{};
  BoundedCache<EngineInputs, const StudyResult, 8> engine{};
  std::optional<StudyResult> motivation{};  // depends on none
  AceRuns runs{};
};

void append(const StudyResult& part, StudyResult& result) {
  result.tables.insert(result.tables.end(), part.tables.begin(), part.tables.end());
  result.charts.insert(result.charts.end(), part.charts.begin(), part.charts.end());
  result.findings.insert(part.findings.begin(), part.findings.end());
  result.reasons.insert(part.reasons.begin(), part.reasons.end());
  result.absent.insert(part.absent.begin(), part.absent.end());
}

// Before anything is simulated.
void check_configurations(const AceFile& file, const chip::Device& device) {
  for (std::size_t i = 0; i < file.configurations.keys.size(); ++i) {
    const std::string& name = file.configurations.keys[i];
    const Config& written = file.configurations.items[i];
    if (name == kNoOverlap || name == kIdeal) {
      reject(written, "is called as one that the study has of its own");
    }
    comm::check_leaves_something(written, device, comm::endpoint_of(written, device));
  }
}

// What is swept, and what the background keeps, is of the device.
void check_sweeps(const AceFile& file, const chip::Device& device) {
  const auto complain = [&](const char* key, const std::string& most) {
    throw ConfigError({file.device.where.file, 0, key},
                      fmt::format("has more than the {} of {}", most, device.name));
  };
  if (std::ranges::any_of(file.sms, [&](double sms) { return sms > device.cores.count; })) {
    complain("sms", fmt::format("{} cores", device.cores.count));
  }
  const auto too_much = [&](BytesPerSecond memory) { return memory > device.memory.bandwidth; };
  if (std::ranges::any_of(file.memory, too_much)) {
    complain("memory", to_text(device.memory.bandwidth));
  }
}

StudyResult run_under(const Config& values,
                      const AceFile& file,
                      const DataFolders& folders,
                      const Tick& tick,
                      AceKnown& known) {
  const auto assumptions = read_config<AceAssumptions>(values);
  const auto device = chip::read_device(file.device, folders.devices);
  if (!device) {
    throw ConfigError(file.device.where, device.reason().limit() + ": " + device.reason().detail);
  }
  if (!device->fabric.engine) {
    throw ConfigError(file.device.where, device->name + " has no collectives engine");
  }
  check_configurations(file, *device);
  check_sweeps(file, *device);
  StudyResult result{.name = "ace"};
  const EndpointInputs endpoints{.payload = assumptions.payload,
                                 .chunks = assumptions.chunks,
                                 .latency = assumptions.latency,
                                 .accounting = assumptions.accounting};
  append(*known.endpoints.get(endpoints,
                              [&] {
                                StudyResult part;
                                study_endpoints(file, endpoints, *device, tick, part);
                                return part;
                              }),
         result);
  if (!known.motivation) {
    study_motivation(file.motivation, folders, tick, known.motivation.emplace());
  }
  append(*known.motivation, result);
  const AceRunner runner(file, assumptions, *device, folders, tick, known.runs);
  study_steps(file, assumptions, runner, result);
  study_loop(file, assumptions, *device, runner, result);
  const EngineInputs engine{.payload = assumptions.engine_payload,
                            .latency = assumptions.engine_latency,
                            .split = assumptions.engine_split,
                            .accounting = assumptions.accounting};
  append(*known.engine.get(engine,
                           [&] {
                             StudyResult part;
                             study_engine(file, engine, *device, tick, part);
                             return part;
                           }),
         result);
  result.findings["engine.area"] = device->fabric.engine->area().si() * 1e6;
  result.findings["engine.power"] = device->fabric.engine->power().si();
  result.findings["engine.area_share"] = device->fabric.engine->area() / file.chip_area;
  result.findings["engine.power_share"] = device->fabric.engine->power() / device->power;
  judge(result, file.claims);
  add_figures(file, result);
  return result;
}

}  // namespace

std::uint32_t count(const Dims& dims) {
  std::uint32_t product = 1;
  for (const std::uint32_t width : dims) {
    product *= width;
  }
  return product;
}

StudyResult run_ace(const Config& config, const DataFolders& folders, const Tick& tick) {
  const AceFile file = read_file(config);
  AceKnown known;
  return run_under(values_of(file.assumptions), file, folders, tick, known);
}

std::vector<ClaimRange> range_ace(const Config& config,
                                  const DataFolders& folders,
                                  const Tick& tick) {
  const AceFile file = read_file(config);
  AceKnown known;
  return range_over(file.assumptions, {}, [&](const Config& values) {
    return run_under(values, file, folders, tick, known);
  });
}

}  // namespace cairn::study
