// Convolutions: forward, and backward for data and weights, together or apart.
#include <fmt/format.h>

#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kernels.hpp"

namespace cairn::validate {

namespace {

using model::Pass;

model::Graph graph_of(const MeasuredRow& row) {
  const model::Shape shape{.samples = row.whole("N", 1),
                           .channels = row.whole("C", 1),
                           .height = row.whole("H", 1),
                           .width = row.whole("W", 1)};
  const auto small = [&](const char* column, double least) {
    constexpr double kMax = 1e4;
    const double value = row.whole(column, least);
    if (value > kMax) {
      row.reject(column, fmt::format("is too large (expected at most {})", kMax));
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
    row.reject("R", std::string("does not fit the input: ") + error.what());
  }
}

}  // namespace

void predict_convolution(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const chip::Precision precision = precision_of(row);
  const model::Graph graph = graph_of(row);
  const std::string shape = fmt::format("{} x {} x {}, {} of {} x {}, stride {}",
                                        row.text("C"),
                                        row.text("H"),
                                        row.text("W"),
                                        row.text("K"),
                                        row.text("R"),
                                        row.text("R"),
                                        row.text("stride"));
  const std::string name = fmt::format("{} {} x {}", row.text("dtype"), row.text("N"), shape);
  if (choice(row, "format", {"nhwc", "nchw"}) == "nchw") {
    comparison.skipped.push_back(
        {name, row.line(), "kernels of images stored by channels (nchw) are not modelled"});
    return;
  }
  // Files without a format have one column for both gradients.
  const bool is_split = row.text("bwd_us").empty();
  const auto add = [&](const char* pass, const char* column, const Kernels& kernels) {
    comparison.cases.push_back({.name = name + ", " + pass,
                                .group = is_split ? row.text("dtype") + " " + pass : pass,
                                .shape = shape,
                                .line = row.line(),
                                .measured = microseconds(row, column),
                                .predicted = kernels.time,
                                .bound_by = kernels.bound_by});
  };
  add("forward", "fwd_us", kernels_of(graph, Pass::kForward, precision, true, subject));
  if (!is_split) {
    add("backward", "bwd_us", backward_kernels(graph, precision, true, subject));
    return;
  }
  add("data gradient",
      "dgrad_us",
      kernels_of(graph, Pass::kDataGradient, precision, true, subject));
  add("weight gradient",
      "wgrad_us",
      kernels_of(graph, Pass::kWeightGradient, precision, true, subject));
}

}  // namespace cairn::validate
