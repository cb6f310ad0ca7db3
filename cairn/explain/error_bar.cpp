#include "cairn/explain/error_bar.hpp"

#include <algorithm>
#include <string_view>

#include "cairn/kernel/work.hpp"

namespace cairn::explain {

namespace {

// The measurements that kernels of an operator are among.
std::string_view measured_as(std::optional<chip::LibraryOperator> op) {
  using Op = chip::LibraryOperator;
  if (op == Op::kConvolution) {
    return "conv";
  }
  if (op == Op::kFullyConnected || op == Op::kMatmul) {
    return "gemm";
  }
  if (op == Op::kAttention || op == Op::kAttentionBackward) {
    return "attention";
  }
  return op == Op::kRecurrent ? "recurrent" : "memory_bound";
}

}  // namespace

std::optional<double> error_bar(const model::Graph& graph,
                                std::span<const kernel::Cost> costs,
                                chip::Precision precision,
                                const chip::Device& device) {
  constexpr double kLittle = 0.01;
  if (!device.calibration || !device.calibration->error) {
    return std::nullopt;
  }
  double all = 0.0;
  double known = 0.0;
  double error = 0.0;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const double time = costs[i].time.si();
    const auto op = kernel::work_of(graph, graph.operators[i], precision).op;
    const auto kind =
        std::ranges::find(device.calibration->kinds, measured_as(op), &chip::CalibratedKind::kind);
    all += time;
    if (kind != device.calibration->kinds.end() && kind->held_out > 0.0) {
      known += time;
      error += time * kind->held_out_error;
    }
  }
  return known > 0.0 && all - known <= kLittle * all ? std::optional(error / known) : std::nullopt;
}

}  // namespace cairn::explain
