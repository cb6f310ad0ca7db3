#include "apps/cairn/model_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "cairn/base/yaml_reader.hpp"
#include "cairn/design.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/former_names.hpp"
#include "cairn/model/networks/gpt.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::app {

namespace {

constexpr std::uint32_t kMaxDevices = 1U << 24U;
constexpr auto kMaxBatch = static_cast<std::uint32_t>(plan::kMaxSamples);
constexpr std::uint32_t kUsualSequence = 8192;
constexpr double kUsualTokens = 4.0 * 1024.0 * 1024.0;  // of a step

// The systems that a device is sold in: one node, and a cluster of them that can grow by leaves.
struct Cluster {
  std::string_view device;
  const char* node;
  std::uint32_t devices_of_node;
  const char* cluster;
  std::uint32_t nodes_of_leaf;
  std::uint32_t leaves;
};

constexpr std::array<Cluster, 3> kClusters{{{"a100", "dgx-a100", 8, "superpod-a100", 20, 20},
                                            {"h100", "dgx-h100", 8, "superpod-1024", 32, 4},
                                            {"h200", "dgx-h100", 8, "superpod-1024", 32, 4}}};

std::uint32_t count_of(const std::optional<std::string>& text,
                       const char* flag,
                       std::uint32_t most,
                       std::uint32_t fallback) {
  return text ? parse_count(*text, flag, 1, most) : fallback;
}

// Keys of the design that flags set, by the flag.
constexpr std::array<std::pair<std::string_view, const char*>, 8> kKeysOfFlags{
    {{"model", "MODEL"},
     {"model.seq", "--seq"},
     {"device", "--device"},
     {"platform", "--platform"},
     {"strategy.devices", "--devices"},
     {"strategy.spread", "--strategy"},
     {"strategy.batch", "--global-batch"},
     {"strategy.micro_batches", "--micro-batch"}}};

void refuse_keys_of_flags(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::string_view key = std::string_view(setting).substr(0, setting.find('='));
    const auto found =
        std::ranges::find(kKeysOfFlags, key, &std::pair<std::string_view, const char*>::first);
    if (found != kKeysOfFlags.end()) {
      throw ConfigError(at("--set"),
                        fmt::format("{} follows from {} here (use that)", key, found->second));
    }
  }
}

class Composer {
 public:
  explicit Composer(const RunRequest& request) : request_(request) {}

  ModelDesign run() {
    if (!request_.device) {
      throw ConfigError(at("--device"), "is missing (expected e.g. --device h100)");
    }
    if (!request_.devices && !request_.strategy) {
      throw ConfigError(at("--devices"), "is missing (expected e.g. --devices 256)");
    }
    refuse_keys_of_flags(request_.settings);
    if (auto device = read_device(*request_.device, {}); !device) {
      throw ConfigError(at("--device"), device.reason().detail);
    }
    read_model();
    read_spread();
    choose_batch();
    compose();
    return std::move(made_);
  }

 private:
  void read_model() {
    const NamedFile file = model::load_model(request_.design, data_folders("models"), at("MODEL"));
    if (file.config.find("model") != nullptr && file.config.find("device") != nullptr) {
      throw ConfigError(at("DESIGN"),
                        fmt::format("{} is a design (leave out --device and the other flags of a "
                                    "model; --set changes it)",
                                    request_.design));
    }
    gpt_ = model::language_model(model::ModelSource(file.config, file.name));
    const std::uint32_t largest = gpt_.max_seq == 0 ? gpt_.seq : gpt_.max_seq;
    seq_ = count_of(request_.seq, "--seq", kMaxBatch, std::min(kUsualSequence, largest));
    if (gpt_.max_seq > 0 && seq_ > gpt_.max_seq) {
      throw ConfigError(
          at("--seq"),
          fmt::format("{} tokens are more than the {} positions of {} (use at most {})",
                      seq_,
                      gpt_.max_seq,
                      request_.design,
                      gpt_.max_seq));
    }
    note(request_.seq, fmt::format("sequence {}", seq_));
  }

  // The largest size of tensor parallelism within a node that divides heads and devices.
  [[nodiscard]] std::uint32_t usual_tensor_size(std::uint32_t devices) const {
    const std::uint32_t heads =
        std::gcd(gpt_.heads, gpt_.kv_heads == 0 ? gpt_.heads : gpt_.kv_heads);
    std::uint32_t size = 8;
    while (heads % size != 0 || devices % size != 0) {
      size /= 2;
    }
    return size;
  }

  void read_spread() {
    const bool given = request_.strategy.has_value();
    const std::uint32_t devices = count_of(request_.devices, "--devices", kMaxDevices, 0);
    const std::uint32_t tensor = given ? 1 : usual_tensor_size(devices);
    spread_ = given ? *request_.strategy : fmt::format("tp{}-dp{}", tensor, devices / tensor);
    strategy_ = plan::read_strategy(value_of_flag(spread_, "--strategy"));
    std::uint64_t used = devices;
    if (devices == 0) {
      used = 1;
      for (const std::uint32_t size :
           {strategy_.tensor_rows, strategy_.tensor_columns, strategy_.data, strategy_.stages}) {
        used = std::min<std::uint64_t>(used * std::max(size, 1U), kMaxDevices + 1U);
      }
      if (used > kMaxDevices) {
        throw ConfigError(at("--strategy"),
                          fmt::format("{} is for more than {} devices", spread_, kMaxDevices));
      }
    }
    devices_ = static_cast<std::uint32_t>(used);
    const auto mesh = plan::make_mesh(strategy_, devices_);
    if (!mesh) {
      throw ConfigError(at(given ? "--strategy" : "--devices"), mesh.reason().detail);
    }
    replicas_ = mesh->size(plan::Axis::kData);
    note(request_.strategy, "strategy " + spread_);
    note(request_.devices, fmt::format("{} devices", devices_));
  }

  // About four million tokens, and at least as many micro-batches as pipeline stages.
  void choose_batch() {
    const std::uint32_t samples = count_of(request_.micro_batch, "--micro-batch", kMaxBatch, 1);
    const std::uint64_t at_once = std::uint64_t{samples} * replicas_;
    const std::uint32_t stages = strategy_.stages;
    const double usual = std::round(kUsualTokens / seq_ / static_cast<double>(at_once));
    const double groups =
        std::clamp(std::ceil(usual / stages),
                   1.0,
                   std::max(std::floor(1.0 * plan::kMaxMicroBatches / stages), 1.0));
    const std::uint64_t fallback = static_cast<std::uint64_t>(groups) * stages * at_once;
    if (!request_.global_batch && fallback > kMaxBatch) {
      throw ConfigError(
          at("--micro-batch"),
          fmt::format("{} sequences of each of {} replicas are more than {} in a step",
                      samples,
                      replicas_,
                      kMaxBatch));
    }
    batch_ = count_of(request_.global_batch,
                      "--global-batch",
                      kMaxBatch,
                      static_cast<std::uint32_t>(std::min<std::uint64_t>(fallback, kMaxBatch)));
    if (batch_ % at_once != 0) {
      const std::uint64_t fewer = batch_ / at_once * at_once;
      throw ConfigError(
          at("--global-batch"),
          fmt::format(
              "{} samples do not divide over {} replicas with micro-batches of {} (use {}{})",
              batch_,
              replicas_,
              samples,
              fewer == 0 ? "" : fmt::format("{} or ", fewer),
              fewer + at_once));
    }
    const std::uint64_t count = batch_ / at_once;
    if (count > plan::kMaxMicroBatches) {
      throw ConfigError(at("--global-batch"),
                        fmt::format("{} samples are {} micro-batches of each replica, at most {} "
                                    "(use a larger --micro-batch)",
                                    batch_,
                                    count,
                                    plan::kMaxMicroBatches));
    }
    micro_batches_ = static_cast<std::uint32_t>(count);
    note(request_.micro_batch, fmt::format("micro-batch {}", samples));
    note(request_.global_batch, fmt::format("global batch {}", batch_));
  }

  [[nodiscard]] const Cluster* usual_cluster() const {
    const auto found = std::ranges::find(kClusters, *request_.device, &Cluster::device);
    return found == kClusters.end() ? nullptr : &*found;
  }

  // By default, the device's DGX, or a SuperPOD with as many leaves as the devices need.
  void choose_platform() {
    if (request_.platform) {
      set("platform", *request_.platform, "--platform");
      return;
    }
    const Cluster* cluster = usual_cluster();
    if (cluster == nullptr) {
      throw ConfigError(at("--platform"),
                        fmt::format("is missing: {} has no usual cluster (expected e.g. "
                                    "--platform dgx-h100; cairn list platforms)",
                                    *request_.device));
    }
    const bool one_node = devices_ <= cluster->devices_of_node;
    const std::string name = one_node ? cluster->node : cluster->cluster;
    set("platform", name, "--platform");
    const std::uint32_t of_leaf = cluster->devices_of_node * cluster->nodes_of_leaf;
    const std::uint32_t leaves = (devices_ - 1) / of_leaf + 1;
    if (!one_node && leaves > cluster->leaves) {
      assign(fmt::format("platform.between.dims=[{}, {}]", cluster->nodes_of_leaf, leaves));
    }
    note(std::nullopt, "platform " + name);
  }

  void compose() {
    const bool tensor = strategy_.parallelism == plan::Parallelism::kTensor;
    made_.config = parse_config(
        fmt::format("training: {{optimizer: adam, master_weights: true, fp32_gradients: true}}\n"
                    "strategy: {{devices: {}, micro_batches: {}, batch: {}, precision: bf16, "
                    "bucket: 160 MB{}{}}}\n",
                    devices_,
                    micro_batches_,
                    batch_,
                    replicas_ > 1 ? ", zero: 1" : "",
                    tensor ? ", sequence_parallel: true" : ""),
        "design");
    set("model", request_.design, "MODEL");
    set("device", *request_.device, "--device");
    choose_platform();
    for (std::size_t k = 0; k < made_.config.keys.size(); ++k) {
      if (made_.config.keys[k] == "strategy") {
        made_.config.items[k].keys.emplace_back("spread");
        made_.config.items[k].items.push_back(value_of_flag(spread_, "--strategy"));
      }
    }
    assign(fmt::format("model.seq={}", seq_));
    if (gpt_.tied && (tensor || strategy_.stages > 1)) {
      assign("model.tied=false");
      note(std::nullopt, "a head of its own (tied ones are not partitioned yet)");
    }
    for (std::string setting : request_.settings) {
      print_notes(update_former_names(setting));
      assign(setting);
    }
  }

  void set(const char* key, const std::string& text, const char* flag) {
    made_.config.keys.emplace_back(key);
    made_.config.items.push_back(value_of_flag(text, flag));
  }

  void assign(const std::string& setting) {
    set_value_of_design(made_.config, setting, DataFolders::in(data_roots()));
  }

  void note(const std::optional<std::string>& given, std::string text) {
    if (!given) {
      made_.defaults.push_back(std::move(text));
    }
  }

  const RunRequest& request_;
  model::Gpt gpt_{};
  std::uint32_t seq_ = 0;
  std::string spread_;
  plan::Strategy strategy_;
  std::uint32_t devices_ = 0;
  std::uint32_t replicas_ = 1;
  std::uint32_t batch_ = 0;
  std::uint32_t micro_batches_ = 0;
  ModelDesign made_;
};

}  // namespace

bool names_a_model(const RunRequest& request) {
  return request.device || request.devices || request.strategy || request.seq ||
         request.micro_batch || request.global_batch || request.platform;
}

ModelDesign design_of_model(const RunRequest& request) {
  return Composer(request).run();
}

}  // namespace cairn::app
