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
struct EnumNames<platform::PagePlacement> {
  using E = platform::PagePlacement;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kLocal, "local"}, {E::kBandwidthAware, "bandwidth_aware"}}};
};

namespace {

// The key `collectives`: a map, or only an algorithm.
struct Collectives {
  Config algorithm{};
  memory::ExchangeOrder order = memory::ExchangeOrder::kSequential;
  std::optional<Bytes> chunk{};
  Seconds start{0.0};
};

const Schema<Collectives>& schema_of(const Collectives*) {
  static const auto kSchema =
      Schema<Collectives>("collectives", "communication between devices")
          .optional("algorithm",
                    &Collectives::algorithm,
                    "a name, {hierarchical: [ring, direct]} by dimension, or one per operation: "
                    "{all_reduce: ring, all_to_all: direct} (default: auto, the lowest estimate)")
          .optional("order",
                    &Collectives::order,
                    "one after the other, or concurrently with priority for the oldest or newest")
          .optional("chunk",
                    &Collectives::chunk,
                    "chunk size of payloads where phases can overlap (0 B: no chunks; "
                    "default: by estimate)")
          .not_negative()
          .optional("start",
                    &Collectives::start,
                    "start-up time of a collective, besides that of its protocol")
          .not_negative();
  return kSchema;
}

// The file as written; names are resolved afterwards.
struct DesignFile {
  std::string name{};
  std::string description{};
  std::string source{};
  Config model{};
  Config device{};
  Config platform{};
  model::Training training{};
  Config strategy{};
  plan::Assumptions assumptions{};
  memory::Policy memory{};
  memory::LaunchPolicy launch{};
  std::uint32_t steps = 1;
  Config collectives{};
  Config endpoint{};
  platform::PagePlacement page_placement = platform::PagePlacement::kBandwidthAware;
  bool contention = true;
  Links links = Links::kGiven;
};

const Schema<DesignFile>& schema_of(const DesignFile*) {
  static const auto kSchema =
      Schema<DesignFile>("design", "model, device, platform, strategy and policies")
          .optional("name", &DesignFile::name, "name shown in results")
          .optional("description", &DesignFile::description, "one-line description")
          .optional("source", &DesignFile::source, "where the numbers come from")
          .required("model", &DesignFile::model, "the network: a name, a file or a map", "vgg-e")
          .required(
              "device", &DesignFile::device, "the accelerator: a name, a file or a map", "mc-dla")
          .required("platform",
                    &DesignFile::platform,
                    "the interconnect: a name, a file or a map",
                    "dc-dla")
          .optional("training", &DesignFile::training, "optimizer, recomputation")
          .optional("strategy",
                    &DesignFile::strategy,
                    "parallelization strategy: a map, or e.g. RC-4-2-d3-p2")
          .optional("assumptions",
                    &DesignFile::assumptions,
                    "what papers leave unsaid about parallel training")
          .optional("memory", &DesignFile::memory, "memory policy: offload and capacity")
          .optional("launch", &DesignFile::launch, "kernel launch policy")
          .optional(
              "collectives", &DesignFile::collectives, "communication: a map, or an algorithm only")
          .optional("steps",
                    &DesignFile::steps,
                    "consecutive steps; collectives of one overlap with kernels of the next")
          .at_least(1)
          .at_most(memory::kMaxSteps)
          .optional("endpoint",
                    &DesignFile::endpoint,
                    "what executes collectives at a device: a name, a file or a map (default: "
                    "ideal)")
          .optional(
              "page_placement", &DesignFile::page_placement, "placement of pages on memory-nodes")
          .optional("contention",
                    &DesignFile::contention,
                    "collectives, transfers and kernels slow each other down")
          .optional("links",
                    &DesignFile::links,
                    "bandwidth of a device's links: as given by the platform, or scaled so that "
                    "their total is that of the chip's links");
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
      reject(config, "is not an endpoint (expected e.g. \"ideal\"; or remove the key)");
    }
    return {};
  }
  Config written = config;
  if (config.kind != Config::Kind::kMap) {
    const std::string& name = scalar_text(config, "a name or a map");
    written = load_choice(name, folders, "an endpoint", config.where).config;
  }
  const comm::Endpoint endpoint = comm::endpoint_of(written, device);
  comm::check_leaves_resources(written, device, endpoint);
  return endpoint;
}

// The value at these nested keys; nullptr if absent.
const Config* find_within(const Config& config, std::initializer_list<std::string_view> keys) {
  const Config* found = &config;
  for (const std::string_view key : keys) {
    found = found == nullptr ? nullptr : found->find(key);
  }
  return found;
}

// The key that a message about the sizes of a strategy is about: that of the reason or, where the
// product of all sizes is wrong, one that was set by itself (--set); else the strategy.
const Config& written_size(const Config& strategy, Lack lack) {
  if (strategy.kind != Config::Kind::kMap) {
    return strategy;
  }
  const std::string_view key = lack_key(lack);
  if (const Config* own = strategy.find(std::string(key.substr(key.find('.') + 1)))) {
    return *own;
  }
  for (const char* size :
       {"spread", "tensor_rows", "tensor_columns", "data", "stages", "devices"}) {
    const Config* written = strategy.find(size);
    if (written != nullptr && written->where.file != strategy.where.file) {
      return *written;
    }
  }
  return strategy;
}

// Rejects a strategy that does not fit the platform's number of devices.
void check_strategy(const Config& config, const Design& design) {
  const Config* strategy = config.find("strategy");
  if (strategy == nullptr) {
    return;
  }
  const std::uint32_t there = design.platform.device_count();
  const Config* devices =
      strategy->kind == Config::Kind::kMap ? strategy->find("devices") : nullptr;
  if (devices != nullptr && design.strategy.devices > there) {
    reject(*devices, "is more than the platform's " + std::to_string(there) + " devices");
  }
  const auto mesh = plan::make_mesh(design.strategy,
                                    design.strategy.devices == 0 ? there : design.strategy.devices);
  if (!mesh) {
    throw ConfigError(written_size(*strategy, mesh.reason().lack).where, mesh.reason().detail);
  }
}

// Scales all links by one factor, so that the total bandwidth out of a device (the maximum over
// devices) equals that of its chip's links to other packages.
void take_links_of_chip(platform::Platform& platform, BytesPerSecond from_chip) {
  const BytesPerSecond from_device = platform::max_egress_bandwidth(platform);
  if (from_device == BytesPerSecond(0.0)) {
    return;  // a single device
  }
  platform.graph.scale_bandwidth(from_chip / from_device);
  platform.name += fmt::format(", {} of a chip", to_text(from_chip));
}

bool has_memory_nodes(const platform::Platform& platform) {
  return std::ranges::any_of(platform.graph.node_classes(), [](const platform::NodeClass& nodes) {
    return nodes.kind == platform::NodeKind::kMemoryNode;
  });
}

// Rejects keys of one section that have no effect with the values of another.
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
    refuse({"launch", "background"}, "training: {tables: background}");
  }
  if (file.steps == 1) {
    refuse({"training", "updates"}, "steps above 1");
  }
  const auto refuse_unless = [&](std::initializer_list<plan::Parallelism> parallelism,
                                 std::string_view key,
                                 const char* when) {
    if (std::ranges::find(parallelism, design.strategy.parallelism) == parallelism.end()) {
      refuse({"assumptions", key}, when);
    }
  };
  using enum plan::Parallelism;
  refuse_unless({kRowColumn, kOneWeirdTrick, kHybrid},
                "resharding",
                "strategy: {parallelism: row_column, one_weird_trick or hybrid}");
  refuse_unless(
      {kColumnRow, kTensor}, "inner_gradient", "strategy: {parallelism: column_row or tensor}");
  refuse_unless({kRowColumn}, "weight_copies", "strategy: {parallelism: row_column}");
  for (const std::string_view key : {"model_parallel_input", "partial_sum"}) {
    refuse_unless(
        {kModel, kOneWeirdTrick}, key, "strategy: {parallelism: model or one_weird_trick}");
  }
  if (!design.memory.needs_store()) {
    refuse({"page_placement"}, "memory: {offload: ...} other than none, or {tables: store}");
  } else if (!has_memory_nodes(design.platform)) {
    refuse({"page_placement"}, "a platform that has memory-nodes");
  }
}

// Rejects background tables that leave no core or memory bandwidth for other kernels.
void check_background(const Config& config, const Design& design) {
  if (!design.in_background()) {
    return;
  }
  const auto complain = [&](const char* key, const char* what) {
    const Config* written = find_within(config, {"launch", "background", key});
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
    left.cores.count -= launch.background.sms;
    left.memory.bandwidth -= launch.background.memory;
  }
  return left;
}

chip::Device Design::for_background() const {
  chip::Device slice = device;
  slice.cores.count = launch.background.sms;
  slice.memory.bandwidth = launch.background.memory;
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
    options.background = launch.background.memory;
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
      .launch = file.launch,
      .machine = {.collectives = policy_of(collectives),
                  .page_placement = file.page_placement,
                  .contention = file.contention}};
  design.strategy.assumptions = file.assumptions;
  design.launch.sequence = {
      .steps = file.steps, .updates = file.training.updates, .exchanges = collectives.order};
  design.machine.endpoint = read_endpoint(file.endpoint, design.device, folders_.endpoints);
  if (file.links == Links::kChip) {
    if (!design.device.links) {
      return Infeasible{
          Lack::kPackageLinks,
          design.device.name + " has no links to other packages (needed by links: chip)"};
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
         reference(static_cast<const plan::Assumptions*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Policy*>(nullptr)) + "\n" +
         reference(static_cast<const memory::LaunchPolicy*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Background*>(nullptr)) + "\n" +
         reference(static_cast<const Collectives*>(nullptr)) + "\n" +
         reference(static_cast<const comm::EndpointChoice*>(nullptr)) + "\n" +
         reference(static_cast<const memory::Compression*>(nullptr));
}

}  // namespace cairn
