#include "cairn/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/nearest.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn {

template <>
struct EnumNames<platform::Placement> {
  using E = platform::Placement;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kLocal, "local"}, {E::kBandwidthAware, "bandwidth_aware"}}};
};

namespace {

// A map in its place; or only an algorithm.
struct Collectives {
  Config algorithm{};
  memory::ExchangeOrder order = memory::ExchangeOrder::kInTurn;
  std::optional<Bytes> chunk{};
  Seconds start{0.0};
};

const Schema<Collectives>& schema_of(const Collectives*) {
  static const auto kSchema =
      Schema<Collectives>("collectives", "how devices exchange")
          .optional("algorithm",
                    &Collectives::algorithm,
                    "a name, {hierarchical: [ring, direct]} by dimension, or one per operation: "
                    "{all_reduce: ring, all_to_all: direct} (default: auto, the least estimate)")
          .optional("order",
                    &Collectives::order,
                    "whether each waits for the one before, or the oldest or newest goes first")
          .optional("chunk",
                    &Collectives::chunk,
                    "what payloads are cut into where phases can overlap (0 B: not at all; "
                    "default: by estimate)")
          .not_negative()
          .optional("start",
                    &Collectives::start,
                    "of each, before its first message, besides what its protocol takes")
          .not_negative();
  return kSchema;
}

// The file as it is written; names are looked up afterwards.
struct DesignFile {
  std::string name{};
  std::string description{};
  std::string source{};
  Config model{};
  Config device{};
  Config platform{};
  model::Training training{};
  Config strategy{};
  memory::Policy memory{};
  memory::Dispatch kernels{};
  std::uint32_t steps = 1;
  Config collectives{};
  Config endpoint{};
  platform::Placement placement = platform::Placement::kBandwidthAware;
  bool contention = true;
  Links links = Links::kGiven;
};

const Schema<DesignFile>& schema_of(const DesignFile*) {
  static const auto kSchema =
      Schema<DesignFile>("design", "everything that is evaluated")
          .optional("name", &DesignFile::name, "what results call it")
          .optional("description", &DesignFile::description, "one line")
          .optional("source", &DesignFile::source, "where its numbers come from")
          .required(
              "model", &DesignFile::model, "what is trained: a name, a file or a map", "vgg-e")
          .required("device", &DesignFile::device, "an accelerator: likewise", "mc-dla")
          .required("platform", &DesignFile::platform, "how devices are joined: likewise", "dc-dla")
          .optional("training", &DesignFile::training, "what updates weights, what is made again")
          .optional("strategy",
                    &DesignFile::strategy,
                    "how training is spread over devices: a map, or e.g. RC-4-2-d3-p2")
          .optional("memory", &DesignFile::memory, "what stays in memory between the passes")
          .optional("kernels", &DesignFile::kernels, "which kernels of a device run at a time")
          .optional("collectives",
                    &DesignFile::collectives,
                    "how devices exchange: a map, or an algorithm alone")
          .optional("steps",
                    &DesignFile::steps,
                    "in a row; collectives of one overlap with kernels of the next")
          .at_least(1)
          .at_most(memory::kMostSteps)
          .optional("endpoint",
                    &DesignFile::endpoint,
                    "who executes collectives at a device: a name, a file or a map (default: "
                    "ideal)")
          .optional("placement", &DesignFile::placement, "of pages over memory-nodes")
          .optional("contention",
                    &DesignFile::contention,
                    "collectives, transfers and kernels slow each other down")
          .optional("links",
                    &DesignFile::links,
                    "how fast those of a device are: as the platform says, or so that all of them "
                    "together give what its chip's do");
  return kSchema;
}

Collectives read_collectives(const Config& config) {
  return config.kind == Config::Kind::kMap ? read_config<Collectives>(config)
                                           : Collectives{.algorithm = config};
}

comm::CollectivePolicy policy_of(const Collectives& collectives) {
  comm::CollectivePolicy policy{.chunk_size = collectives.chunk, .start = collectives.start};
  comm::read_algorithms(collectives.algorithm, policy);
  return policy;
}

comm::Endpoint read_endpoint(const Config& config,
                             const chip::Device& device,
                             const Folders& folders) {
  if (config.kind == Config::Kind::kNull) {
    if (!config.where.key.empty()) {
      reject(config, "is not an endpoint (expected e.g. \"ideal\", or no such key)");
    }
    return {};
  }
  const Config written =
      config.kind == Config::Kind::kMap
          ? config
          : load_named(scalar_text(config, "a text or a map"), folders, "an endpoint", config.where)
                .config;
  const comm::Endpoint endpoint = comm::endpoint_of(written, device);
  comm::check_leaves_something(written, device, endpoint);
  return endpoint;
}

// What is written at these keys, one inside the other.
const Config* find_within(const Config& config, std::initializer_list<std::string_view> keys) {
  const Config* found = &config;
  for (const std::string_view key : keys) {
    found = found == nullptr ? nullptr : found->find(key);
  }
  return found;
}

// Complains where the strategy is written if it does not suit the platform's devices.
void check_strategy(const Config& config, const Design& design) {
  const Config* strategy = config.find("strategy");
  if (strategy == nullptr) {
    return;
  }
  const std::uint32_t there = design.platform.device_count();
  const Config* devices =
      strategy->kind == Config::Kind::kMap ? strategy->find("devices") : nullptr;
  if (devices != nullptr && design.strategy.devices > there) {
    reject(*devices, "is more than the platform's " + std::to_string(there));
  }
  const auto mesh = plan::make_mesh(design.strategy,
                                    design.strategy.devices == 0 ? there : design.strategy.devices);
  if (!mesh) {
    throw ConfigError(strategy->where, mesh.reason().detail);
  }
}

// All links by the same factor, so that those that leave a device (the one with the most) give what
// its chip's links to other packages do.
void take_links_of_chip(platform::Platform& platform, BytesPerSecond from_chip) {
  const BytesPerSecond from_device = platform::most_from_a_device(platform);
  if (from_device == BytesPerSecond(0.0)) {
    return;  // of a single device
  }
  platform.graph.scale_bandwidth(from_chip / from_device);
  platform.name += fmt::format(", {} of a chip", to_text(from_chip));
}

bool has_memory_nodes(const platform::Platform& platform) {
  return std::ranges::any_of(platform.graph.node_classes(), [](const platform::NodeClass& nodes) {
    return nodes.kind == platform::NodeKind::kMemoryNode;
  });
}

// Complains about keys of one section that need another one to say something else.
void check_sections_fit(const Config& config, const DesignFile& file, const Design& design) {
  const auto refuse = [&](std::initializer_list<std::string_view> keys, const char* when) {
    const Config* section = config.find(*keys.begin());
    const Config* written = find_within(config, keys);
    if (written != nullptr &&
        (!section->may_be_unused || written->where.file != section->where.file)) {
      reject_unused(*written, when);
    }
  };
  if (!design.in_background()) {
    refuse({"kernels", "background"}, "training: {tables: background}");
  }
  if (file.steps == 1) {
    refuse({"training", "updates"}, "steps above 1");
  }
  if (!design.memory.needs_store()) {
    refuse({"placement"}, "memory: {overlay: ...} other than none, or {tables: store}");
  } else if (!has_memory_nodes(design.platform)) {
    refuse({"placement"}, "a platform that has memory-nodes");
  }
}

// Complains where it is written, if tables are to be in the background, that nothing is left for
// other kernels.
void check_background(const Config& config, const Design& design) {
  if (!design.in_background()) {
    return;
  }
  const auto complain = [&](const char* key, const char* what) {
    const Config* written = find_within(config, {"kernels", "background", key});
    reject(written == nullptr ? *config.find("training")->find("tables") : *written,
           fmt::format("leaves no {} of {} for other kernels", what, design.device.name));
  };
  const chip::Device left = design.for_kernels();
  if (left.cores.count < 1.0) {
    complain("sms", "core");
  }
  if (left.memory.bandwidth <= BytesPerSecond(0.0)) {
    complain("memory", "memory bandwidth");
  }
}

}  // namespace

chip::Device Design::for_kernels() const {
  chip::Device left = comm::left_for_kernels(device, machine.endpoint);
  if (in_background()) {
    left.cores.count -= kernels.background.sms;
    left.memory.bandwidth -= kernels.background.memory;
  }
  return left;
}

chip::Device Design::for_background() const {
  chip::Device slice = device;
  slice.cores.count = kernels.background.sms;
  slice.memory.bandwidth = kernels.background.memory;
  return slice;
}

DataFolders DataFolders::in(const Folders& roots) {
  DataFolders folders{.devices = chip::DeviceFolders::in(roots)};
  for (const auto& root : roots) {
    folders.models.push_back(root / "models");
    folders.platforms.push_back(root / "platforms");
    folders.endpoints.push_back(root / "endpoints");
  }
  return folders;
}

platform::SearchPath DataFolders::platform_presets() const {
  return {platforms.begin(), platforms.end()};
}

lower::MachineOptions Design::machine_options() const {
  lower::MachineOptions options = machine;
  if (in_background()) {
    options.background = kernels.background.memory;
  }
  return options;
}

Feasible<Design> read_design(const Config& config, const DataFolders& folders) {
  return DesignReader(folders).read(config);
}

Feasible<Design> DesignReader::read(const Config& config) {
  const auto file = read_config<DesignFile>(config);
  const auto device =
      devices_.get({file.device}, [&] { return chip::read_device(file.device, folders_.devices); });
  if (!*device) {
    return device->reason();
  }
  const Collectives collectives = read_collectives(file.collectives);
  Design design{
      .name = file.name,
      .model = *models_.get({file.model},
                            [&] { return model::model_source(file.model, folders_.models); }),
      .training = file.training,
      .device = device->value(),
      .platform = *platforms_.get(
          {file.platform},
          [&] { return platform::read_platform(file.platform, folders_.platform_presets()); }),
      .strategy = file.strategy.kind == Config::Kind::kNull ? plan::Strategy{}
                                                            : plan::read_strategy(file.strategy),
      .memory = file.memory,
      .kernels = file.kernels,
      .machine = {.collectives = policy_of(collectives),
                  .placement = file.placement,
                  .contention = file.contention}};
  design.kernels.sequence = {
      .steps = file.steps, .updates = file.training.updates, .exchanges = collectives.order};
  design.machine.endpoint = read_endpoint(file.endpoint, design.device, folders_.endpoints);
  if (file.links == Links::kChip) {
    if (!design.device.links) {
      return Infeasible{Lack::kPackageLinks,
                        design.device.name + " has no links to other packages that its chip makes"};
    }
    take_links_of_chip(design.platform, *design.device.links);
  }
  check_sections_fit(config, file, design);
  check_strategy(config, design);
  check_background(config, design);
  return design;
}

std::string design_reference() {
  const auto reference = []<class T>(const T* tag) { return schema_of(tag).reference(); };
  return reference(static_cast<const DesignFile*>(nullptr)) + "\n" +
         reference(static_cast<const model::Training*>(nullptr)) + "\n" +
         reference(static_cast<const plan::Strategy*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Policy*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Dispatch*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Background*>(nullptr)) + "\n" +
         reference(static_cast<const Collectives*>(nullptr)) + "\n" +
         reference(static_cast<const comm::EndpointChoice*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Compression*>(nullptr));
}

}  // namespace cairn
