// Two concurrent streams on one device, from their common start until both end: kernels beside
// kernels, which each fill the device and are serialized, or beside a copy to or from the host,
// with which they share memory bandwidth.
#include <fmt/format.h>

#include <optional>

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/kernel/tiling.hpp"
#include "cairn/sim/simulate.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/words.hpp"

namespace cairn::validate {

namespace {

constexpr double kGibibyte = 1073741824.0;
constexpr std::uint32_t kMaxKernels = 100000;

// `count` equal kernels one after the other, or one copy.
struct Stream {
  double count = 1.0;
  std::optional<kernel::Work> kernel{};
  Bytes copied{0.0};
  bool to_device = false;
};

// 2 Mi rows of 128 fp32 elements.
kernel::Work look_up() {
  constexpr double kBytes = 2097152.0 * 128.0 * 4.0;
  return {.op = chip::LibraryOperator::kEmbedding,
          .other = Bytes(2.0 * kBytes),
          .precision = chip::Precision::kFp32};
}

// "gemm8192x20", "add2GBx4", "emb x10", "h2d1GB", "d2h1GB".
Stream stream_of(std::string_view text, const MeasuredRow& row) {
  const std::string_view written = text;
  const auto refuse = [&]() {
    row.reject("pair",
               fmt::format("has the unknown stream {} (expected e.g. gemm8192x20, add2GBx4, emb "
                           "x10, h2d1GB or d2h1GB)",
                           in_quotes(written)));
  };
  const auto expect = [&](std::optional<double> value) {
    if (!value) {
      refuse();
    }
    return value.value_or(1.0);
  };
  Stream stream;
  if (take(text, "gemm")) {
    const double side = expect(take_number(text));
    stream.kernel = kernel::work_of(model::Contraction{.m = side, .n = side, .k = side},
                                    chip::Precision::kBf16);
  } else if (take(text, "add")) {
    const Bytes size(expect(take_number(text)) * kGibibyte);
    stream.kernel = {.op = chip::LibraryOperator::kAdd,
                     .vector_ops = size.si() / 2.0,
                     .other = size * 3.0,
                     .precision = chip::Precision::kBf16};
    expect(take(text, "GB") ? std::optional(1.0) : std::nullopt);
  } else if (take(text, "emb ")) {
    stream.kernel = look_up();
  } else if (text.starts_with("h2d") || text.starts_with("d2h")) {
    stream.to_device = text.starts_with("h2d");
    text.remove_prefix(3);
    stream.copied = Bytes(expect(take_number(text)) * kGibibyte);
    expect(text == "GB" ? std::optional(1.0) : std::nullopt);
    return stream;
  } else {
    refuse();
  }
  expect(take(text, "x") ? std::optional(1.0) : std::nullopt);
  stream.count = expect(take_number(text));
  expect(text.empty() && stream.count <= kMaxKernels ? std::optional(1.0) : std::nullopt);
  return stream;
}

// The device and its host as resources of the engine.
class Machine {
 public:
  explicit Machine(Subject& subject) : subject_(subject) {
    const chip::Device& device = subject.device();
    memory_ = program_.add(
        sim::Resource{.name = "memory", .capacity = kernel::bandwidth_of(device.memory).si()});
    slot_ = program_.add(
        sim::Resource{.name = "slot", .kind = sim::ResourceKind::kHeld, .capacity = 1.0});
    if (device.host) {
      const double one_way = device.host->bandwidth.si();
      to_device_ = program_.add(sim::Resource{.name = "host link, in", .capacity = one_way});
      to_host_ = program_.add(sim::Resource{.name = "host link, out", .capacity = one_way});
      both_ways_ = program_.add(
          sim::Resource{.name = "host link, both ways", .capacity = device.host->both_ways.si()});
    }
  }

  void add(const Stream& stream) {
    const auto issuer = program_.add(sim::Issuer{.name = stream.kernel ? "kernels" : "copy"});
    stream.kernel ? add_kernels(stream, issuer) : add_copy(stream, issuer);
  }

  Seconds run() const { return sim::simulate(program_).end.since(SimTime{}); }

 private:
  void add_kernels(const Stream& stream, Id<sim::Issuer> issuer) {
    const kernel::Cost& cost = subject_.kernels.cost(repeated(*stream.kernel, subject_.device()));
    const double bytes = std::max(1.0, cost.memory.si());
    const auto demand = program_.add(sim::Demand{.draws = {{.resource = memory_}},
                                                 .holds = {{.resource = slot_}},
                                                 .speed_limit = bytes / cost.time.si()});
    std::vector<Id<sim::Task>> after;
    for (double i = 0.0; i < stream.count; i += 1.0) {
      after = {program_.add(
          sim::Task{.what = sim::Activity{.demand = demand, .issuer = issuer, .work = bytes},
                    .after = after})};
    }
  }

  void add_copy(const Stream& stream, Id<sim::Issuer> issuer) {
    const auto demand =
        program_.add(sim::Demand{.draws = {{.resource = memory_},
                                           {.resource = stream.to_device ? to_device_ : to_host_},
                                           {.resource = both_ways_}},
                                 .latency = subject_.device().host->start});
    program_.add(sim::Task{
        .what = sim::Activity{.demand = demand, .issuer = issuer, .work = stream.copied.si()}});
  }

  Subject& subject_;
  sim::Program program_{};
  Id<sim::Resource> memory_{};
  Id<sim::Resource> slot_{};
  Id<sim::Resource> to_device_{};
  Id<sim::Resource> to_host_{};
  Id<sim::Resource> both_ways_{};
};

}  // namespace

void predict_contention(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const std::string& pair = row.text("pair");
  const std::size_t bar = pair.find('|');
  if (bar == std::string::npos) {
    row.reject("pair", "is not a pair (expected e.g. gemm8192x20|h2d1GB)");
  }
  const Stream work = stream_of(std::string_view(pair).substr(0, bar), row);
  const Stream side = stream_of(std::string_view(pair).substr(bar + 1), row);
  if ((!work.kernel || !side.kernel) && !subject.device().host) {
    comparison.skipped.push_back(
        {pair, row.line(), "the device has no host (bandwidth of host copies)"});
    return;
  }
  const auto add =
      [&](const char* what, const char* column, std::initializer_list<Stream> streams) {
        Machine machine(subject);
        for (const Stream& stream : streams) {
          machine.add(stream);
        }
        comparison.cases.push_back(
            {.name = pair + ", " + what,
             .group = what,
             .shape = pair,
             .line = row.line(),
             .measured = microseconds(row, column),
             .predicted = machine.run(),
             .bound_by = work.kernel && side.kernel ? "kernels serialized" : "longer"});
      };
  add("work alone", "work_us", {work});
  add("side alone", "side_us", {side});
  add("together", "together_us", {work, side});
}

}  // namespace cairn::validate
