// cairn kernel: predicts the time of one operator on one device, and explains it.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/chip/read_device.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/kernel/total.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/layer_types.hpp"
#include "cairn/report/kernel_document.hpp"

namespace cairn::app {

namespace {

using model::Pass;

constexpr const char* kGemm = "gemm";
constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

// The requested operator as text, and its kernels.
struct Asked {
  std::string what{};
  std::vector<kernel::Work> works{};
};

void refuse_flag(const std::optional<std::string>& value, const char* flag, const char* why) {
  if (value) {
    throw ConfigError(at(flag), fmt::format("{} {}", in_quotes(*value), why));
  }
}

double length(const std::optional<std::string>& text, const char* flag) {
  if (!text) {
    throw ConfigError(at(flag), "is missing (expected e.g. 4096)");
  }
  return parse_count(*text, flag, 1, kMax);
}

Asked gemm(const KernelRequest& request, chip::Precision precision) {
  for (const auto& [value, flag] : {std::pair(&request.input, "--input"),
                                    std::pair(&request.layer, "--layer"),
                                    std::pair(&request.batch, "--batch"),
                                    std::pair(&request.pass, "--pass")}) {
    refuse_flag(*value, flag, "applies to layers only (gemm takes --m, --n and --k)");
  }
  const double m = length(request.m, "--m");
  const double n = length(request.n, "--n");
  const double k = length(request.k, "--k");
  return {fmt::format("gemm, m = {}, n = {}, k = {}", m, n, k),
          {kernel::work_of(model::Contraction{.m = m, .n = n, .k = k}, precision)}};
}

Pass pass_of(const KernelRequest& request) {
  constexpr std::array kPasses{
      Pass::kForward, Pass::kDataGradient, Pass::kWeightGradient, Pass::kUpdate};
  if (!request.pass) {
    return Pass::kForward;
  }
  return kPasses[parse_name(*request.pass,
                            "--pass",
                            "a pass",
                            {"forward", "data_gradient", "weight_gradient", "update"})];
}

// All inputs have the same shape.
model::Graph graph_of(const model::LayerType& type, const KernelRequest& request) {
  if (!request.input) {
    throw ConfigError(
        at("--input"),
        "is missing (expected e.g. --input \"{channels: 64, height: 56, width: 56}\")");
  }
  const Config input = parse_config(*request.input, "--input");
  const Config parameters = parse_config(request.layer.value_or("{}"), "--layer");
  const model::Input sample = model::read_input(input);
  const double batch = parse_count(request.batch.value_or("1"), "--batch", 1, kMax);
  try {
    model::Net net(std::string(type.name), batch);
    std::vector<model::Value> inputs;
    constexpr std::size_t kInputsOfVariadic = 2;
    const std::size_t count = type.max_inputs == 0 ? kInputsOfVariadic : type.max_inputs;
    for (std::size_t i = 0; i < count; ++i) {
      inputs.push_back(sample.add_to(
          net, i == 0 ? "input" : fmt::format("input {}", i + 1), model::TensorKind::kActivation));
    }
    type.add(net, std::string(type.name), inputs, parameters);
    return model::with_backward_pass(std::move(net).take());
  } catch (const model::BatchError& error) {
    throw ConfigError(at("--batch"), error.what());
  } catch (const model::ShapeError& error) {
    throw ConfigError(at("--layer"), error.what());
  }
}

Asked layer(const model::LayerType& type, const KernelRequest& request, chip::Precision precision) {
  for (const auto& [value, flag] :
       {std::pair(&request.m, "--m"), std::pair(&request.n, "--n"), std::pair(&request.k, "--k")}) {
    refuse_flag(*value, flag, "applies to gemm only (layers take --input and --layer)");
  }
  const Pass pass = pass_of(request);
  const model::Graph graph = graph_of(type, request);
  Asked asked{.what = fmt::format("{} of {} samples of {}{}",
                                  type.name,
                                  graph.batch,
                                  must_have(request.input, "read by graph_of"),
                                  request.layer ? " with " + *request.layer : "")};
  for (const model::Operator& op : graph.operators) {
    if (op.pass == pass) {
      asked.works.push_back(kernel::work_of(graph, op, precision));
    }
  }
  if (asked.works.empty()) {
    throw ConfigError(at("--pass"),
                      fmt::format("{} has no {} pass", type.name, model::to_text(pass)));
  }
  return asked;
}

Asked asked_for(const KernelRequest& request, chip::Precision precision) {
  std::vector<std::string> known{kGemm};
  for (const model::LayerType& type : model::layer_types()) {
    known.emplace_back(type.name);
  }
  const std::size_t which = parse_name(request.op, "OP", "an operator", known);
  return which == 0 ? gemm(request, precision)
                    : layer(model::layer_types()[which - 1], request, precision);
}

}  // namespace

std::vector<Option> options_of(KernelRequest& request) {
  std::vector<Option> options{
      {.name = "OP",
       .doc = "gemm, or a layer (cairn list operators)",
       .value = &request.op,
       .example = "gemm or convolution"},
      {.name = "--device",
       .type = "D",
       .doc = "a name (cairn list devices), chip:NAME, or a YAML file",
       .value = &request.device,
       .example = "h200 or my/device.yaml"},
      {.name = "--precision",
       .type = "P",
       .doc = "fp64, fp32, tf32, fp16, bf16, fp8 or int8",
       .value = &request.precision,
       .shows_default = true},
      {"--m", "N", "gemm: rows of the output", &request.m},
      {"--n", "N", "gemm: columns of the output", &request.n},
      {"--k", "N", "gemm: reduction (inner) dimension", &request.k},
      {"--input", "MAP", "layer: shape of one sample, as in a model's input", &request.input},
      {"--layer", "MAP", "layer: parameters (cairn list layers NAME)", &request.layer},
      {"--batch", "N", "layer: batch size (default 1)", &request.batch},
      {"--pass",
       "PASS",
       "layer: forward (default), data_gradient, weight_gradient or update",
       &request.pass},
      settings_option(request.settings,
                      "change a value of the device, e.g. memory.bandwidth=\"2 TB/s\"")};
  add_output(options, request.output);
  return options;
}

Answer kernel(const KernelRequest& request) {
  const auto names = enum_names<chip::Precision>();
  const chip::Precision precision =
      EnumNames<chip::Precision>::kNames
          [parse_name(request.precision, "--precision", "a precision", names)]
              .value;
  const Asked asked = asked_for(request, precision);
  const auto device = read_device(request.device, request.settings);
  if (!device) {
    return device.reason();
  }
  if (auto reason = chip::check_precision(*device, precision)) {
    return *std::move(reason);
  }
  std::vector<explain::TimedKernel> kernels;
  for (const kernel::Work& work : asked.works) {
    kernels.push_back({work.op, kernel::cost(work, *device).time});
  }
  const report::KernelReport report{.what = asked.what,
                                    .pass = std::string(model::to_text(pass_of(request))),
                                    .precision = precision,
                                    .total = kernel::total_of(asked.works, *device),
                                    .error_bar = explain::error_bar(kernels, *device)};
  return report::document_of(report, *device);
}

}  // namespace cairn::app
