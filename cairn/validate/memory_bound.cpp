// Operators that move more than they compute, in bf16, on rows of 4096 elements or maps of 64
// channels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

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

Value rows(Net& net, double elements, const char* name = "x") {
  return net.input_from_below(name, {.samples = elements / kRow, .channels = kRow});
}

Value maps(Net& net, double elements) {
  const double samples = elements / (kMaps * kSide * kSide);
  return net.input_from_below(
      "x", {.samples = samples, .channels = kMaps, .height = kSide, .width = kSide});
}

struct Operation {
  std::string_view name{};
  void (*add)(Net& net, double elements) = nullptr;  // none: nothing but bytes moved
  model::Pass pass = model::Pass::kForward;
};

constexpr std::array kOperations{
    Operation{"add",
              [](Net& net, double elements) {
                const Value x = rows(net, elements);
                net.add("y", x, rows(net, elements, "z"));
              }},
    Operation{"relu", [](Net& net, double elements) { net.activation("y", rows(net, elements)); }},
    Operation{"relu_in_place",
              [](Net& net, double elements) { net.activation("y", rows(net, elements)); }},
    Operation{"softmax", [](Net& net, double elements) { net.softmax("y", rows(net, elements)); }},
    Operation{"pool", [](Net& net, double elements) { net.pool("y", maps(net, elements), {}); }},
    Operation{"batch_norm",
              [](Net& net, double elements) { net.normalization("y", maps(net, elements), true); }},
    Operation{"copy"},
    Operation{"fill"},
    Operation{"transpose"},
    Operation{"sum_rows"},
};

std::vector<kernel::Work> works_of(const Operation& operation, double elements, Bytes moved) {
  constexpr auto kPrecision = chip::Precision::kBf16;
  if (operation.add == nullptr) {
    return {{.op = chip::LibraryOperator::kCopy, .other = moved, .precision = kPrecision}};
  }
  Net net("operation", 1.0);
  operation.add(net, elements);
  const model::Graph graph = model::with_backward_pass(std::move(net).take());
  std::vector<kernel::Work> works;
  for (const model::Operator& op : graph.operators) {
    if (op.pass == operation.pass) {
      works.push_back(kernel::work_of(graph, op, kPrecision));
    }
  }
  return works;
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
  const auto found = std::ranges::find(kOperations, op, &Operation::name);
  if (found == kOperations.end()) {
    comparison.left.push_back({name, row.line(), "there is no such operator"});
    return;
  }
  Case result{.name = name, .group = op, .line = row.line(), .measured = measured};
  Seconds longest(0.0);
  for (kernel::Work work : works_of(*found, elements, moved)) {
    work.warm = warm;
    const kernel::Cost& cost = subject.kernels.cost(work);
    result.predicted += cost.time;
    result.bound_by = cost.time > longest ? to_text(cost.bound_by) : result.bound_by;
    longest = std::max(longest, cost.time);
  }
  comparison.cases.push_back(std::move(result));
}

}  // namespace cairn::validate
