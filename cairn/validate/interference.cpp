// Kernels beside a resident kernel that streams bytes on some cores, as communication does: the end
// of each, from the times of each alone and their contention.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/kernel/sharing.hpp"
#include "cairn/model/net.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/words.hpp"

namespace cairn::validate {

namespace {

constexpr double kMebi = 1048576.0;
constexpr double kGiga = 1e9;

// `count` equal kernels one after the other.
struct Kernels {
  std::string_view family{};
  kernel::Work work{};
  double count = 1.0;
};

// GELU on this many bytes of bf16, in rows of 4096.
kernel::Work gelu_of(double bytes) {
  constexpr double kRow = 4096.0;
  const double elements = bytes / chip::element_bytes(chip::Precision::kBf16).si();
  model::Net net("gelu", 1.0);
  net.gelu("y", net.input_from_below("x", {.samples = elements / kRow, .channels = kRow}));
  const model::Graph graph = std::move(net).take();
  return kernel::work_of(graph, graph.operators.back(), chip::Precision::kBf16);
}

// A lookup of `rows` rows of `width` fp32 elements, each read and written.
kernel::Work look_up_of(double rows, double width) {
  return {.op = chip::LibraryOperator::kEmbedding,
          .other = chip::element_bytes(chip::Precision::kFp32) * (2.0 * rows * width),
          .precision = chip::Precision::kFp32};
}

// "gemm8192", "embedding 2M x128", "gelu 512MB" at the beginning of `text`, from which it is
// removed.
std::optional<Kernels> take_kernel(std::string_view& text) {
  if (take(text, "gemm")) {
    const auto side = take_number(text);
    if (side) {
      const model::Contraction square{.m = *side, .n = *side, .k = *side};
      return Kernels{.family = "gemm", .work = kernel::work_of(square, chip::Precision::kBf16)};
    }
  } else if (take(text, "embedding ")) {
    const auto rows = take_number(text);
    const auto width = rows && take(text, "M x") ? take_number(text) : std::nullopt;
    if (width) {
      return Kernels{.family = "embedding", .work = look_up_of(*rows * kMebi, *width)};
    }
  } else if (take(text, "gelu ")) {
    const auto size = take_number(text);
    if (size && take(text, "MB")) {
      return Kernels{.family = "gelu", .work = gelu_of(*size * kMebi)};
    }
  }
  return std::nullopt;
}

Kernels kernels_of(const MeasuredRow& row) {
  std::string_view text = row.text("work");
  auto kernels = take_kernel(text);
  const auto count = kernels && take(text, " x") ? take_number(text) : std::nullopt;
  if (!count || !text.empty()) {
    row.reject("work",
               "is unknown (expected e.g. gemm8192 x8, embedding 2M x128 x8, gelu 512MB x16)");
  }
  kernels->count = *count;
  return *kernels;
}

kernel::Resident resident_of(const MeasuredRow& row, const chip::Device& device) {
  const std::string& kind = row.text("stream_kind");
  constexpr std::array<std::string_view, 2> kStreams{"copy", "reduce"};
  if (std::ranges::find(kStreams, kind) == kStreams.end()) {
    row.reject("stream_kind", "is unknown (expected copy or reduce)");
  }
  const kernel::Resident resident{
      .cores = row.whole("stream_blocks", 1),
      .alone = BytesPerSecond(row.positive("stream_alone_GBps") * kGiga)};
  if (resident.cores > device.cores.count) {
    row.reject("stream_blocks",
               fmt::format("is more than the {} cores of {}", device.cores.count, device.name));
  }
  if (resident.alone >= device.memory.bandwidth) {
    row.reject("stream_alone_GBps",
               fmt::format("is more than the {:.0f} GB/s of {}'s memory",
                           device.memory.bandwidth.si() / kGiga,
                           device.name));
  }
  return resident;
}

}  // namespace

void predict_interference(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const Kernels kernels = kernels_of(row);
  const chip::Device& device = subject.device();
  const kernel::Resident resident = resident_of(row, device);
  const Seconds work_alone = microseconds(row, "work_alone_us");
  const Seconds stream_alone = microseconds(row, "stream_alone_us");
  const Seconds work_together = microseconds(row, "work_together_us");
  const Seconds stream_together = microseconds(row, "stream_together_us");
  const std::string name = fmt::format(
      "{} beside {} on {}", row.text("work"), row.text("stream_kind"), row.text("stream_blocks"));
  if (const auto reason = chip::check_precision(device, kernels.work.precision);
      reason && kernels.work.contraction) {
    comparison.skipped.push_back({name, row.line(), reason->detail});
    return;
  }
  const kernel::Shared shared = kernel::share(kernels.work,
                                              subject.kernels.cost(kernels.work),
                                              work_alone / kernels.count,
                                              resident,
                                              device);
  const kernel::Ends ends = kernel::ends_of(work_alone, stream_alone, shared);
  const auto add = [&](const std::string& what,
                       std::string_view side,
                       Seconds measured,
                       Seconds predicted,
                       kernel::SlowdownCause most) {
    comparison.cases.push_back({.name = name + ", " + std::string(side),
                                .group = fmt::format("{}: {}", what, kernel::to_text(most)),
                                .shape = row.text("work"),
                                .line = row.line(),
                                .measured = measured,
                                .predicted = predicted,
                                .bound_by = kernel::to_text(most)});
  };
  const std::string family(kernels.family);
  add(family, "work", work_together, ends.kernel, shared.kernel.most);
  add("stream beside " + family, "stream", stream_together, ends.stream, shared.stream.most);
}

}  // namespace cairn::validate
