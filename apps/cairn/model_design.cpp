#include "apps/cairn/model_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
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
                       std::uint32_t otherwise) {
  return text ? parse_count(*text, flag, 1, kMost) : otherwise;
}

Config scalar(std::string text, const char* flag) {
  Config config;
  config.kind = Config::Kind::kScalar;
  config.where = at(flag);
  config.text = std::move(text);
  return config;
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
    read_model();
    read_spread();
    choose_batch();
    compose();
    return std::move(made_);
  }

 private:
  void read_model() {
    const NamedFile file = model::load_model(request_.design, data_folders("models"), at("MODEL"));
    const model::Gpt gpt = model::language_model(model::ModelSource(file.config, file.name));
    const std::uint32_t largest = gpt.max_seq == 0 ? gpt.seq : gpt.max_seq;
    seq_ = count_of(request_.seq, "--seq", std::min(kUsualSequence, largest));
    note(request_.seq, fmt::format("sequence {}", seq_));
  }

  void read_spread() {
    const bool given = request_.strategy.has_value();
    const std::uint32_t devices = count_of(request_.devices, "--devices", 0);
    const std::uint32_t tensor = given ? 1 : std::min(devices, std::uint32_t{8});
    spread_ = given ? *request_.strategy : fmt::format("tp{}-dp{}", tensor, devices / tensor);
    strategy_ = plan::read_strategy(scalar(spread_, "--strategy"));
    devices_ = devices;
    if (devices == 0) {
      devices_ = std::max(strategy_.tensor_rows, 1U) * std::max(strategy_.tensor_columns, 1U) *
                 std::max(strategy_.data, 1U) * strategy_.stages;
    }
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
    const std::uint32_t samples = count_of(request_.micro_batch, "--micro-batch", 1);
    const std::uint32_t at_once = samples * replicas_;
    const std::uint32_t stages = strategy_.stages;
    const double usual = std::max(std::round(kUsualTokens / seq_ / at_once), 1.0);
    const double groups = std::ceil(std::max(usual, 1.0 * stages) / stages);
    batch_ = count_of(request_.global_batch,
                      "--global-batch",
                      static_cast<std::uint32_t>(groups) * stages * at_once);
    if (batch_ % at_once != 0) {
      const std::uint32_t fewer = batch_ / at_once * at_once;
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
    micro_batches_ = batch_ / at_once;
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
    const std::uint32_t leaves = (devices_ + of_leaf - 1) / of_leaf;
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
        made_.config.items[k].items.push_back(scalar(spread_, "--strategy"));
      }
    }
    assign(fmt::format("model.seq={}", seq_));
    for (std::string setting : request_.settings) {
      print_notes(update_former_names(setting));
      assign(setting);
    }
  }

  void set(const char* key, const std::string& text, const char* flag) {
    made_.config.keys.emplace_back(key);
    made_.config.items.push_back(scalar(text, flag));
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
