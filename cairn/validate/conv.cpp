// Convolutions, forward, and backward for data and weights together.
#include <fmt/format.h>

#include "cairn/kernel/total.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

using model::Pass;

model::Graph graph_of(const MeasuredRow& row) {
  const model::Shape shape{.samples = row.whole("N", 1),
                           .channels = row.whole("C", 1),
                           .height = row.whole("H", 1),
                           .width = row.whole("W", 1)};
  const auto small = [&](const char* column, double least) {
    constexpr double kMost = 1e4;
    const double value = row.whole(column, least);
    if (value > kMost) {
      row.reject(column, "is too large");
    }
    return static_cast<std::uint32_t>(value);
  };
  const model::Convolution layer{.channels = row.whole("K", 1),
                                 .kernel = small("R", 1),
                                 .stride = small("stride", 1),
                                 .pad = small("pad", 0)};
  try {
    model::Net net("conv", shape.samples);
    net.convolution("conv", net.input_from_below("input", shape), layer);
    return model::with_backward_pass(std::move(net).take());
  } catch (const model::ShapeError& error) {
    row.reject("R", std::string("does not fit: ") + error.what());
  }
}

}  // namespace

void predict_convolution(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const chip::Precision precision = precision_of(row);
  const model::Graph graph = graph_of(row);
  const std::string name = fmt::format("{} {} x {} x {} x {}, {} of {} x {}, stride {}",
                                       row.text("dtype"),
                                       row.text("N"),
                                       row.text("C"),
                                       row.text("H"),
                                       row.text("W"),
                                       row.text("K"),
                                       row.text("R"),
                                       row.text("R"),
                                       row.text("stride"));
  if (const auto reason = chip::lacks(subject.device(), precision)) {
    comparison.left.push_back({name, row.line(), reason->detail});
    return;
  }
  Seconds forward(0.0);
  Seconds backward(0.0);
  std::string forward_bound;
  std::string backward_bound;
  Seconds longest(0.0);
  for (const model::Operator& op : graph.operators) {
    kernel::Work work = kernel::work_of(graph, op, precision);
    work.warm = true;
    const kernel::Cost& cost = subject.kernels.cost(work);
    if (op.pass == Pass::kForward) {
      forward += cost.time;
      forward_bound = to_text(cost.bound_by);
    } else if (op.pass != Pass::kUpdate) {
      backward += cost.time;
      backward_bound = cost.time > longest ? to_text(cost.bound_by) : backward_bound;
      longest = std::max(longest, cost.time);
    }
  }
  const auto add = [&](const char* pass, const char* column, Seconds time, std::string bound) {
    comparison.cases.push_back({.name = name + ", " + pass,
                                .group = pass,
                                .line = row.line(),
                                .measured = microseconds(row, column),
                                .predicted = time,
                                .bound_by = std::move(bound)});
  };
  add("forward", "fwd_us", forward, std::move(forward_bound));
  add("backward", "bwd_us", backward, std::move(backward_bound));
}

}  // namespace cairn::validate
