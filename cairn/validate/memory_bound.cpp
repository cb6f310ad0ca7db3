// Memory-bound operators in bf16, on rows of 4096 elements or feature maps of 64 channels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kernels.hpp"

namespace cairn::validate {

namespace {

using model::Net;
using model::Shape;
using model::Value;

constexpr double kMegabyte = 1048576.0;
constexpr double kElement = 2.0;
constexpr double kRow = 4096.0;
constexpr double kMaps = 64.0;
constexpr double kSide = 64.0;
constexpr double kTableRows = 131072.0;
constexpr double kTableWidth = 512.0;

Value rows(Net& net, double elements, const char* name = "x") {
  return net.input_from_below(name, {.samples = elements / kRow, .channels = kRow});
}

Value maps(Net& net, double elements) {
  const double samples = elements / (kMaps * kSide * kSide);
  return net.input_from_below(
      "x", {.samples = samples, .channels = kMaps, .height = kSide, .width = kSide});
}

void build_pool(Net& net, double elements) {
  net.pool("y", maps(net, elements), {});
}

void build_pool3(Net& net, double elements) {
  net.pool("y", maps(net, elements), {.kernel = 3, .stride = 2, .pad = 1});
}

void build_batch_norm(Net& net, double elements) {
  net.normalization("y", maps(net, elements), true);
}

// Adds the operator and its inputs to the net; nullptr: only memory traffic.
using Build = void (*)(Net& net, double elements);

struct Operation {
  std::string_view name{};
  Build build = nullptr;
  model::Pass pass = model::Pass::kForward;  // kDataGradient: the whole backward pass
  chip::LibraryOperator library = chip::LibraryOperator::kCopy;  // if build is nullptr
};

constexpr std::array kOperations{
    Operation{"add",
              [](Net& net, double elements) {
                const Value x = rows(net, elements);
                net.add("y", x, rows(net, elements, "z"));
              }},
    // The model's ReLU is in place; the measured one is not.
    Operation{.name = "relu", .library = chip::LibraryOperator::kActivation},
    Operation{"relu_in_place",
              [](Net& net, double elements) { net.activation("y", rows(net, elements)); }},
    Operation{"gelu", [](Net& net, double elements) { net.gelu("y", rows(net, elements)); }},
    Operation{"softmax", [](Net& net, double elements) { net.softmax("y", rows(net, elements)); }},
    Operation{"layer_norm",
              [](Net& net, double elements) { net.layer_norm("y", rows(net, elements)); }},
    Operation{"cross_entropy",
              [](Net& net, double elements) { net.cross_entropy("y", rows(net, elements)); }},
    Operation{"pool", build_pool},
    Operation{"pool3", build_pool3},
    Operation{"batch_norm", build_batch_norm},
    Operation{.name = "relu_backward", .library = chip::LibraryOperator::kActivation},
    Operation{"layer_norm_backward",
              [](Net& net, double elements) { net.layer_norm("y", rows(net, elements)); },
              model::Pass::kDataGradient},
    Operation{"pool_backward", build_pool, model::Pass::kDataGradient},
    Operation{"pool3_backward", build_pool3, model::Pass::kDataGradient},
    Operation{"batch_norm_backward", build_batch_norm, model::Pass::kDataGradient},
    Operation{"embedding",
              [](Net& net, double elements) {
                const Value tokens = net.sequence("x", {.samples = elements / kTableWidth});
                net.embedding("y", tokens, kTableRows, kTableWidth);
              }},
    Operation{"sgd",
              [](Net& net, double elements) {
                const Value x = net.input_from_below("x", {.channels = elements / kRow});
                net.fully_connected("y", x, kRow);
              },
              model::Pass::kUpdate},
    Operation{"copy"},
    Operation{.name = "fill", .library = chip::LibraryOperator::kFill},
    Operation{.name = "transpose", .library = chip::LibraryOperator::kTranspose},
    Operation{.name = "sum_rows", .library = chip::LibraryOperator::kSum},
};

constexpr std::array<std::string_view, 4> kCasts{"to_fp32", "to_bf16", "to_fp8", "add_to_fp32"};

constexpr auto kPrecision = chip::Precision::kBf16;

Kernels kernels_of(
    const Operation& operation, double elements, Bytes moved, bool warm, Subject& subject) {
  if (operation.build == nullptr) {
    Kernels kernels;
    const kernel::Work work{
        .op = operation.library, .vector_ops = elements, .other = moved, .precision = kPrecision};
    kernels.add(subject.kernels.cost(warm ? repeated(work, subject.device()) : work));
    return kernels;
  }
  Net net("operation", 1.0, {.pool_saves = model::PoolSaves::kLongIndices});
  operation.build(net, elements);
  const model::Graph graph = model::with_backward_pass(std::move(net).take());
  return operation.pass == model::Pass::kDataGradient
             ? backward_kernels(graph, kPrecision, warm, subject)
             : validate::kernels_of(graph, operation.pass, kPrecision, warm, subject);
}

}  // namespace

void predict_memory_bound(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const bool warm = is_warm(row);
  const double elements = row.positive("mbytes_in") * kMegabyte / kElement;
  const Bytes moved(row.positive("mbytes_moved") * kMegabyte);
  const Seconds measured = microseconds(row, "time_us");
  const std::string& op = row.text("op");
  const std::string name =
      fmt::format("{} of {} MB, {}", op, row.text("mbytes_in"), warm ? "warm" : "cold");
  if (std::ranges::find(kCasts, op) != kCasts.end()) {
    comparison.skipped.push_back({name, row.line(), "casts are not modelled"});
    return;
  }
  const auto found = std::ranges::find(kOperations, op, &Operation::name);
  if (found == kOperations.end()) {
    std::string known;
    for (const Operation& operation : kOperations) {
      known += (known.empty() ? "" : ", ") + std::string(operation.name);
    }
    row.reject("op", fmt::format("is unknown (expected one of {})", known));
  }
  const Kernels kernels = kernels_of(*found, elements, moved, warm, subject);
  comparison.cases.push_back({.name = name,
                              .group = op,
                              .shape = row.text("mbytes_in") + " MB",
                              .line = row.line(),
                              .measured = measured,
                              .predicted = kernels.time,
                              .bound_by = kernels.bound_by});
}

}  // namespace cairn::validate
