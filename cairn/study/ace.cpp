#include "cairn/study/ace.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "cairn/study/ace_run.hpp"

namespace cairn::study {

const Schema<AceAssumptions>& schema_of(const AceAssumptions*) {
  static const auto kSchema =
      Schema<AceAssumptions>("assumptions", "choices the ACE paper leaves open")
          .optional("payload", &AceAssumptions::payload, "size of the all-reduce")
          .positive()
          .optional("chunks", &AceAssumptions::chunks, "chunks of the payload")
          .at_least(1)
          .at_most(65536)
          .optional("latency", &AceAssumptions::latency, "include link latency")
          .optional("accounting", &AceAssumptions::accounting, "counted memory accesses")
          .optional("compute_scale",
                    &AceAssumptions::compute_scale,
                    "kernel time over that of our NPU model")
          .positive()
          .optional("fp32_gradients",
                    &AceAssumptions::fp32_gradients,
                    "accumulate and all-reduce weight gradients in fp32")
          .optional("bucket", &AceAssumptions::bucket, "gradient bytes fused into one all-reduce")
          .not_negative()
          .optional("chunk", &AceAssumptions::chunk, "chunk size of collectives in training steps")
          .positive()
          .optional(
              "start", &AceAssumptions::start, "latency of a collective before its first message")
          .not_negative()
          .optional("link_efficiency",
                    &AceAssumptions::link_efficiency,
                    "fraction of the link bandwidth left for payload, in training steps")
          .positive()
          .at_most(1.0)
          .optional("order", &AceAssumptions::order, "scheduling order of collectives")
          .optional("optimizer", &AceAssumptions::optimizer, "optimizer of the weights")
          .optional("lookups", &AceAssumptions::lookups, "embedding rows read per table and sample")
          .positive()
          .optional("background_memory",
                    &AceAssumptions::background_memory,
                    "memory bandwidth of background tables, with the cores that drive it")
          .positive()
          .optional(
              "engine_payload", &AceAssumptions::engine_payload, "payload of the engine sweep")
          .positive()
          .optional("engine_latency",
                    &AceAssumptions::engine_latency,
                    "link latency in the engine sweep, by dimension")
          .not_negative()
          .optional("engine_split",
                    &AceAssumptions::engine_split,
                    "division of the engine's SRAM and state machines among phases");
  return kSchema;
}

const Schema<AceFile>& schema_of(const AceFile*) {
  static const auto kSchema =
      study_schema<AceFile>("sizes, sweeps, assumptions and claims")
          .required("device", &AceFile::device, "the NPU", "ace-npu")
          .required("platform", &AceFile::platform, "platform without dims", "{topology: torus}")
          .required("sizes", &AceFile::sizes, "torus dimensions L x V x H", "[[4, 4, 4]]")
          .required("sweep_sizes", &AceFile::sweep_sizes, "tori of the sweep", "[[4, 4, 4]]")
          .required("memory", &AceFile::memory, "bandwidth for communication", "[128 GB/s]")
          .positive()
          .required("sms", &AceFile::sms, "SMs for communication", "[2, 6]")
          .at_least(1)
          .required("engine", &AceFile::engine, "sweep over the engine's size", "{...}")
          .required("configurations", &AceFile::configurations, "endpoints by name", "{...}")
          .required("workloads", &AceFile::workloads, "designs without a platform", "{...}")
          .optional("steps", &AceFile::steps, "consecutive training steps")
          .at_least(1)
          .at_most(memory::kMaxSteps)
          .required("loop", &AceFile::loop, "background embedding tables", "{...}")
          .required("motivation", &AceFile::motivation, "an all-reduce beside kernels", "{...}")
          .required("chip_area", &AceFile::chip_area, "area of an NPU without engine", "815 mm2")
          .positive();
  return kSchema;
}

namespace {

// Rejects names of workloads and configurations that the file does not have.
void check_loop(const Config& loop, const AceFile& file) {
  if (file.loop.sweep_size.size() != 3) {
    reject(*loop.find("sweep_size"), "is not a torus (expected 3 dimensions)");
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

// Results by inputs: --range changes one assumption at a time, and most parts depend on few.
struct AceCache {
  explicit AceCache(const DataFolders& folders) : steps{DesignReader(folders)} {}

  BoundedCache<EndpointInputs, const StudyResult, 8> endpoints{};
  BoundedCache<EngineInputs, const StudyResult, 8> engine{};
  std::optional<StudyResult> motivation{};  // depends on no assumption
  explore::EvaluationContext steps;
};

void append(const StudyResult& part, StudyResult& result) {
  result.tables.insert(result.tables.end(), part.tables.begin(), part.tables.end());
  result.charts.insert(result.charts.end(), part.charts.begin(), part.charts.end());
  result.findings.insert(part.findings.begin(), part.findings.end());
  result.reasons.insert(part.reasons.begin(), part.reasons.end());
  result.absent.insert(part.absent.begin(), part.absent.end());
}

void check_configurations(const AceFile& file, const chip::Device& device) {
  for (std::size_t i = 0; i < file.configurations.keys.size(); ++i) {
    const std::string& name = file.configurations.keys[i];
    const Config& written = file.configurations.items[i];
    if (name == kNoOverlap || name == kIdeal) {
      throw ConfigError(written.where, "is a reserved name (expected another)");
    }
    comm::check_leaves_resources(written, device, comm::endpoint_of(written, device));
  }
}

// Rejects swept SMs and bandwidths that exceed the device's.
void check_sweeps(const AceFile& file, const chip::Device& device) {
  const auto complain = [&](const char* key, const std::string& limit) {
    throw ConfigError({file.device.where.file, 0, key},
                      fmt::format("exceeds the {} of {}", limit, device.name));
  };
  if (std::ranges::any_of(file.sms, [&](double sms) { return sms > device.cores.count; })) {
    complain("sms", fmt::format("{} cores", device.cores.count));
  }
  const auto over_capacity = [&](BytesPerSecond memory) {
    return memory > device.memory.bandwidth;
  };
  if (std::ranges::any_of(file.memory, over_capacity)) {
    complain("memory", to_text(device.memory.bandwidth));
  }
}

StudyResult run_under(const Config& values,
                      const AceFile& file,
                      const DataFolders& folders,
                      const Tick& tick,
                      AceCache& known) {
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
                              [&] { return study_endpoints(file, endpoints, *device, tick); }),
         result);
  if (!known.motivation) {
    known.motivation = study_motivation(file.motivation, folders, tick);
  }
  append(*known.motivation, result);
  const AceRunner runner(file, assumptions, tick, known.steps);
  study_steps(file, assumptions, runner, result);
  study_loop(file, assumptions, *device, runner, result);
  const EngineInputs engine{.payload = assumptions.engine_payload,
                            .latency = assumptions.engine_latency,
                            .split = assumptions.engine_split,
                            .accounting = assumptions.accounting};
  append(*known.engine.get(engine, [&] { return study_engine(file, engine, *device, tick); }),
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

PreparedStudy prepare_ace(const Config& config, const DataFolders& folders, const Tick& tick) {
  const AceFile file = read_file(config);
  return {.assumptions = file.assumptions,
          .run = [=, &folders, known = std::make_shared<AceCache>(folders)](const Config& values) {
            return run_under(values, file, folders, tick, *known);
          }};
}

}  // namespace cairn::study
