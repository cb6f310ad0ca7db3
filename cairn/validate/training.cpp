// Whole training steps on one device: forward, backward, update; predicted by evaluate().
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>

#include "cairn/evaluate.hpp"
#include "cairn/platform/topology/dc_dla.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

constexpr const char* kModels =
    "alexnet, vgg19, googlenet, resnet34, resnet50, gpt, vanilla, lstm, gru or lm";

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

 private:
  const MeasuredRow& row_;
  std::map<std::string, std::uint32_t, std::less<>> values_{};
  mutable std::set<std::string, std::less<>> read_{};
};

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
  if (model == "gpt") {
    return fmt::format("{{network: gpt, layers: {}, hidden: {}, heads: {}, vocab: {}, seq: {}}}",
                       settings["layers"],
                       settings["hidden"],
                       settings["heads"],
                       settings["vocab"],
                       settings["seq"]);
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

// Checks the optional columns, which are not compared.
void check_optional_columns(const MeasuredRow& row) {
  for (const char* column : {"peak_gib", "params", "offloaded_gib"}) {
    if (!row.text(column).empty() && row.number(column) < 0.0) {
      row.reject(column, "is out of range (expected 0 or more)");
    }
  }
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
  const bool offload = memory == "offload";
  if (offload && !subject.device().host) {
    comparison.skipped.push_back(
        {name, row.line(), "the device has no host (bandwidth of host copies)"});
    return;
  }
  Design design{.name = name,
                .model = model::model_source(parse_config(model_text(row, settings), "model"), {}),
                .device = subject.device(),
                .platform = one_device(subject.device()),
                .strategy = {.batch = static_cast<double>(settings["batch"]),
                             .precision = precision_of(row)}};
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
