// Kernels on rows in bf16, by the width and the number of rows.
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
using model::Pass;
using model::Value;

constexpr auto kPrecision = chip::Precision::kBf16;

struct Rows {
  double width = 1.0;  // elements
  double count = 1.0;
  double table = 0.0;  // rows of the table
};

Value rows(Net& net, const Rows& shape) {
  return net.input_from_below("x", {.samples = shape.count, .channels = shape.width});
}

void build_layer_norm(Net& net, const Rows& shape) {
  net.layer_norm("y", rows(net, shape));
}

void build_rms_norm(Net& net, const Rows& shape) {
  net.rms_norm("y", rows(net, shape));
}

void build_softmax(Net& net, const Rows& shape) {
  net.softmax("y", rows(net, shape));
}

void build_cross_entropy(Net& net, const Rows& shape) {
  net.cross_entropy("y", rows(net, shape));
}

void build_embedding(Net& net, const Rows& shape) {
  net.embedding("y", net.sequence("x", {.samples = shape.count}), shape.table, shape.width);
}

struct Operation {
  std::string_view name{};
  // Adds the operator and its inputs to the net.
  void (*build)(Net& net, const Rows& shape) = nullptr;
  Pass pass = Pass::kForward;  // kDataGradient: the whole backward pass
  std::string_view skipped{};  // not empty: why it is not predicted
};

constexpr std::string_view kNoExperts = "the order of experts' tokens is not modelled";
constexpr std::string_view kNoFp32Copy = "cross entropy on an fp32 copy is not modelled";

constexpr std::array kOperations{
    Operation{"layer_norm", build_layer_norm},
    Operation{"layer_norm_backward", build_layer_norm, Pass::kDataGradient},
    Operation{"rms_norm", build_rms_norm},
    Operation{"rms_norm_backward", build_rms_norm, Pass::kDataGradient},
    Operation{"softmax", build_softmax},
    Operation{"softmax_backward", build_softmax, Pass::kDataGradient},
    Operation{"cross_entropy", build_cross_entropy},
    Operation{"cross_entropy_backward", build_cross_entropy, Pass::kDataGradient},
    Operation{.name = "cross_entropy_fp32", .skipped = kNoFp32Copy},
    Operation{.name = "cross_entropy_fp32_backward", .skipped = kNoFp32Copy},
    Operation{.name = "sum_rows"},
    Operation{.name = "sum_columns", .skipped = "sums of columns are not modelled"},
    Operation{"embedding", build_embedding},
    Operation{"embedding_backward", build_embedding, Pass::kDataGradient},
    Operation{.name = "permute_rows", .skipped = kNoExperts},
    Operation{.name = "scatter_add", .skipped = kNoExperts},
};

const Operation& operation_of(const MeasuredRow& row) {
  const auto found = std::ranges::find(kOperations, row.text("op"), &Operation::name);
  if (found == kOperations.end()) {
    std::string known;
    for (const Operation& operation : kOperations) {
      known += (known.empty() ? "" : ", ") + std::string(operation.name);
    }
    row.reject("op", fmt::format("is unknown (expected one of {})", known));
  }
  return *found;
}

Kernels sums_of(const Rows& shape, bool warm, Subject& subject) {
  const double elements = shape.count * shape.width;
  const kernel::Work work{.op = chip::LibraryOperator::kSum,
                          .vector_ops = elements,
                          .other = chip::element_bytes(kPrecision) * (elements + shape.count),
                          .precision = kPrecision};
  Kernels kernels;
  kernels.add(subject.kernels.cost(warm ? repeated(work, subject.device()) : work));
  return kernels;
}

Kernels kernels_of(const Operation& operation, const Rows& shape, bool warm, Subject& subject) {
  if (operation.build == nullptr) {
    return sums_of(shape, warm, subject);
  }
  Net net("rows", 1.0);
  operation.build(net, shape);
  const model::Graph graph = model::with_backward_pass(std::move(net).take());
  return operation.pass == Pass::kDataGradient
             ? backward_kernels(graph, kPrecision, warm, subject)
             : validate::kernels_of(graph, operation.pass, kPrecision, warm, subject);
}

}  // namespace

void predict_rows(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const Operation& operation = operation_of(row);
  const bool warm = is_warm(row);
  Rows shape{.width = row.whole("width", 1), .count = row.whole("rows", 1)};
  if (operation.build == build_embedding) {
    shape.table = row.whole("table_rows", 1);
  } else if (!row.text("table_rows").empty()) {
    check_not_negative(row, "table_rows");
  }
  const Seconds measured = microseconds(row, "time_us");
  const std::string name = fmt::format(
      "{} of {} x {}, {}", operation.name, shape.count, shape.width, warm ? "warm" : "cold");
  if (!operation.skipped.empty()) {
    comparison.skipped.push_back({name, row.line(), std::string(operation.skipped)});
    return;
  }
  const Kernels kernels = kernels_of(operation, shape, warm, subject);
  comparison.cases.push_back({.name = name,
                              .group = std::string(operation.name),
                              .shape = fmt::format("{} rows", shape.count),
                              .line = row.line(),
                              .measured = measured,
                              .predicted = kernels.time,
                              .bound_by = kernels.bound_by});
}

}  // namespace cairn::validate
