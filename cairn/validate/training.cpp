// Whole training steps on one device: forward, backward, update; predicted by evaluate().
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "cairn/evaluate.hpp"
#include "cairn/platform/topology/dc_dla.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

constexpr const char* kModels =
    "alexnet, vgg19, googlenet, resnet34, resnet50, gpt, llama, vanilla, lstm, gru or lm";

// Settings from a text like "layers=2 hidden=2048".
class Settings {
 public:
  explicit Settings(const MeasuredRow& row) : row_(row) {
    std::string_view rest = row.text("config");
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const std::size_t equals = word.find('=');
      std::uint32_t value = 0;
      const std::string_view digits =
          equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
      const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
      if (error != std::errc{} || end != digits.end() || value == 0) {
        row_.reject("config", fmt::format("has {} (expected e.g. batch=64)", in_quotes(word)));
      }
      if (!values_.emplace(word.substr(0, equals), value).second) {
        row_.reject("config", fmt::format("has {} twice", in_quotes(word.substr(0, equals))));
      }
    }
  }

  // Rejects settings that the model does not use.
  void check_all_read() const {
    for (const auto& [key, value] : values_) {
      if (!read_.contains(key)) {
        row_.reject("config", fmt::format("has an unknown {}", in_quotes(key)));
      }
    }
  }

  [[nodiscard]] std::uint32_t operator[](const std::string& key) const {
    read_.insert(key);
    const auto found = values_.find(key);
    if (found == values_.end()) {
      row_.reject("config", fmt::format("has no {0} (expected e.g. {0}=64)", key));
    }
    return found->second;
  }

  // Rejects another value than this one.
  void expect(const std::string& key, std::uint32_t value) const {
    if (or_else(key, value) != value) {
      row_.reject("config", fmt::format("has another {} than {}", key, value));
    }
  }

  [[nodiscard]] std::uint32_t or_else(const std::string& key, std::uint32_t value) const {
    return values_.contains(key) ? (*this)[key] : value;
  }

 private:
  const MeasuredRow& row_;
  std::map<std::string, std::uint32_t, std::less<>> values_{};
  mutable std::set<std::string, std::less<>> read_{};
};

// A GPT or Llama as YAML. `dim`, the width of a head, is that of the hidden size.
std::string transformer_text(bool is_llama, const Settings& settings) {
  const std::uint32_t hidden = settings["hidden"];
  const std::uint32_t heads = settings["heads"];
  settings.expect("dim", hidden / heads);
  return fmt::format(
      "{{network: gpt, layers: {}, hidden: {}, heads: {}, kv_heads: {}, intermediate: {}, vocab: "
      "{}, seq: {}, loss: {}{}}}",
      settings["layers"],
      hidden,
      heads,
      settings.or_else("kv_heads", heads),
      settings.or_else("inner", 4 * hidden),
      settings["vocab"],
      settings["seq"],
      settings.or_else("fp32_loss", 0) == 1 ? "fp32" : "as_trained",
      is_llama ? ", mlp: gated, norm: rms, positions: rotary, bias: false" : "");
}

// The model as YAML. PyTorch saves 8-byte indices for max-pooling.
std::string model_text(const MeasuredRow& row, const Settings& settings) {
  const std::string& model = row.text("model");
  if (model == "alexnet" || model == "googlenet") {
    return fmt::format("{{network: {}, pool_saves: long_indices}}", model);
  }
  if (model == "vgg19") {
    return "{network: vgg, pool_saves: long_indices}";
  }
  if (model == "resnet34" || model == "resnet50") {
    return fmt::format(
        "{{network: resnet, projections: true, affine: true, bottleneck: {}, pool_saves: "
        "long_indices}}",
        model == "resnet50");
  }
  if (model == "gpt" || model == "llama") {
    return transformer_text(model == "llama", settings);
  }
  if (model == "vanilla" || model == "lstm" || model == "gru") {
    return fmt::format(
        "{{network: recurrent, cell: {}, hidden: {}, steps: {}, recurrent_kernels: by_layer, "
        "weighed: true}}",
        model,
        settings["hidden"],
        settings["steps"]);
  }
  if (model == "lm") {
    return fmt::format(
        "{{network: language_model, hidden: {}, vocabulary: {}, layers: {}, steps: {}, "
        "steps_at_once: 0, recurrent_kernels: by_layer}}",
        settings["hidden"],
        settings["vocab"],
        settings["layers"],
        settings["steps"]);
  }
  row.reject("model", fmt::format("is unknown (expected {})", kModels));
}

// The device and its host.
platform::Platform one_device(const chip::Device& device) {
  platform::topology::DeviceCentric parameters{
      .devices = 1, .devices_per_uplink = 1, .devices_per_socket = 1};
  if (device.host) {
    parameters.pcie_bandwidth = device.host->bandwidth;
    parameters.pcie_latency = device.host->start;
    parameters.socket_memory_bandwidth = device.host->both_ways;
  }
  platform::Platform platform = platform::topology::make_dc_dla(parameters);
  platform.name = "one " + device.name;
  return platform;
}

// In the precision of the products, or fp32 copies that are cast after each update or for each
// product.
std::string_view weights_of(const MeasuredRow& row) {
  return choice(row, "weights", {"same", "master", "autocast"});
}

// Language models are trained by Adam if the file says what their weights are, else by plain SGD,
// as all other networks are.
model::Training training_of(const MeasuredRow& row, const Settings& settings) {
  const bool is_language_model = row.text("model") == "gpt" || row.text("model") == "llama";
  const bool has_master = weights_of(row) == "master";
  return {.optimizer = is_language_model && !row.text("weights").empty() ? model::Optimizer::kAdam
                                                                         : model::Optimizer::kSgd,
          .master_weights = has_master,
          .fp32_gradients = has_master,
          .checkpoints = settings.or_else("recompute", 0) == 1 ? model::Checkpoints::kBlocks
                                                               : model::Checkpoints::kNone};
}

// Checks the optional columns, which are not compared.
void check_optional_columns(const MeasuredRow& row) {
  for (const char* column :
       {"peak_gib", "reserved_gib", "params", "offloaded_gib", "host_ms", "launches"}) {
    if (!row.text(column).empty()) {
      check_not_negative(row, column);
    }
  }
}

// The reason, if steps of a row are not modelled.
std::optional<std::string> check_step(const MeasuredRow& row, const Settings& settings) {
  const bool offload = row.text("memory") == "offload";
  if (choice(row, "code", {"eager", "compiled"}) == "compiled") {
    return "compiled code: fused kernels are not modelled";
  }
  // Files without the column have resident steps replayed, and offloaded ones launched by Python.
  if (choice(row, "launch", {offload ? "python" : "replay", offload ? "replay" : "python"}) ==
          "python" &&
      !offload) {
    return "launched by Python: the time of the host is not modelled";
  }
  if (weights_of(row) == "autocast") {
    return "casts of weights for each product (autocast) are not modelled";
  }
  if (settings.or_else("tp", 1) > 1) {
    return "the share of one tensor-parallel rank, without its exchanges, is not modelled";
  }
  return std::nullopt;
}

}  // namespace

void predict_training(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  check_optional_columns(row);
  constexpr double kMilli = 1e-3;
  const Settings settings(row);
  const std::string& memory = row.text("memory");
  if (memory != "resident" && memory != "offload") {
    row.reject("memory", "is unknown (expected resident or offload)");
  }
  const Seconds measured(row.positive("iteration_ms") * kMilli);
  const std::string name = fmt::format("{} {}, {}", row.text("model"), row.text("config"), memory);
  if (const auto reason = check_step(row, settings)) {
    comparison.skipped.push_back({name, row.line(), *reason});
    return;
  }
  const bool offload = memory == "offload";
  if (offload && !subject.device().host) {
    comparison.skipped.push_back(
        {name, row.line(), "the device has no host (bandwidth of host copies)"});
    return;
  }
  const std::uint32_t micros = settings.or_else("micros", 1);
  Design design{.name = name,
                .model = model::model_source(parse_config(model_text(row, settings), "model"), {}),
                .training = training_of(row, settings),
                .device = subject.device(),
                .platform = one_device(subject.device()),
                .strategy = {.micro_batches = micros,
                             .batch = static_cast<double>(settings["batch"]) * micros,
                             .precision = precision_of(row)}};
  if (design.training.master_weights) {
    design.strategy.accumulation = plan::Accumulation::kOwnKernel;
  }
  if (offload) {
    design.memory = {.offload = memory::Offload::kEverything,
                     .overlap = memory::Overlap::kFree,
                     .window = 3,
                     .recompute = false,
                     .offload_state = true,
                     .in_order = true};
  }
  settings.check_all_read();
  const auto result = evaluate(design, subject.evaluations, Detail::kTrial);
  if (!result) {
    comparison.skip(name, row.line(), result.reason());
    return;
  }
  comparison.cases.push_back({.name = name,
                              .group = row.text("model") + ", " + memory,
                              .shape = row.text("config"),
                              .line = row.line(),
                              .measured = measured,
                              .predicted = result->step_time,
                              .bound_by = result->bound.text});
}

}  // namespace cairn::validate
