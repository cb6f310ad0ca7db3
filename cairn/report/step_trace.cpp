#include "cairn/report/step_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

namespace {

using explain::NamedSpan;
using explain::StepResult;
using memory::ActionKind;

constexpr std::size_t kMostResources = 24;

// Exchanges come after these, a row for each channel; then, if there is one, the background.
constexpr std::array<const char*, 3> kRows{"compute", "copy out", "copy in"};

std::size_t background_row(const StepResult& result) {
  return kRows.size() + result.record.channels.size();
}

std::size_t row_of(const StepResult& result, const NamedSpan& span) {
  switch (span.kind) {
    case ActionKind::kKernel:
    case ActionKind::kRecompute:
      return 0;
    case ActionKind::kOffload:
      return 1;
    case ActionKind::kPrefetch:
      return 2;
    case ActionKind::kBackground:
      return background_row(result);
    case ActionKind::kExchange:
      break;
  }
  return kRows.size() + span.channel;
}

std::string row_name(const StepResult& result, std::size_t row) {
  return row < kRows.size()              ? kRows[row]
         : row == background_row(result) ? "background"
                                         : result.record.channels[row - kRows.size()].name;
}

bool takes_part_in(const StepResult& result, std::uint32_t device_class, std::size_t channel) {
  const auto& [name, from, to] = result.record.channels[channel];
  const std::uint32_t stage = result.class_stage[device_class];
  return from == stage || to == stage;
}

bool takes_part(const StepResult& result, std::uint32_t device_class, const NamedSpan& span) {
  return span.kind == ActionKind::kExchange ? takes_part_in(result, device_class, span.channel)
                                            : span.device_class == device_class;
}

// "device class 2 (4 devices of stage 1)"
std::string class_name(const StepResult& result, std::uint32_t device_class) {
  const std::string stage = fmt::format("stage {}", result.class_stage[device_class]);
  const bool pipeline = result.stages() > 1;
  if (result.class_members.size() == result.devices) {
    return fmt::format("device {}{}", device_class, pipeline ? " of " + stage : "");
  }
  return fmt::format("device class {} ({} devices{})",
                     device_class,
                     result.class_members[device_class],
                     pipeline ? " of " + stage : "");
}

std::string arguments_of(const NamedSpan& span) {
  std::string text = fmt::format(R"("kind": {}, "layer": {})",
                                 json_quoted(std::string(explain::to_text(span.kind))),
                                 span.layer);
  if (span.bytes > Bytes(0.0)) {
    text += fmt::format(R"(, "bytes_B": {})", span.bytes.si());
  }
  if (span.begin > span.submitted) {
    text += fmt::format(R"(, "waited_in_queue_s": {})", (span.begin - span.submitted).si());
  }
  return text;
}

void write_class(const StepResult& result, std::uint32_t device_class, TraceWriter& writer) {
  const std::size_t process = device_class;
  writer.process_name(process, class_name(result, device_class));
  for (std::size_t row = 0; row < kRows.size() + result.record.channels.size(); ++row) {
    if (row < kRows.size() || takes_part_in(result, device_class, row - kRows.size())) {
      writer.thread_name(process, row, row_name(result, row));
    }
  }
  if (result.background) {
    const std::size_t row = background_row(result);
    writer.thread_name(process, row, row_name(result, row));
  }
  for (const NamedSpan& span : result.record.spans) {
    if (takes_part(result, device_class, span)) {
      writer.span(
          process, row_of(result, span), span.name, span.begin, span.end, arguments_of(span));
    }
  }
  if (result.class_stage[device_class] != result.class_stage[result.memory_class]) {
    return;  // only the stage that needs most is known
  }
  for (const explain::MemoryPoint& point : result.memory) {
    writer.counter(process, "memory in use", "B", point.at.since(SimTime{}), point.in_use.si());
  }
}

// The resources that are busiest, by their positions in the record.
std::vector<std::uint32_t> busiest(const StepResult& result) {
  std::map<std::string, std::size_t> rank;
  for (const explain::ResourceUse& use : result.resources) {
    rank.emplace(use.name, rank.size());
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < result.record.resources.size(); ++r) {
    if (rank.contains(result.record.resources[r])) {
      order.push_back(r);
    }
  }
  std::ranges::stable_sort(
      order, {}, [&](std::uint32_t r) { return rank.at(result.record.resources[r]); });
  order.resize(std::min(order.size(), kMostResources));
  return order;
}

void write_resources(const StepResult& result, TraceWriter& writer) {
  const std::size_t process = result.class_members.size();
  writer.process_name(process, "busiest resources");
  std::size_t thread = 0;
  for (const std::uint32_t resource : busiest(result)) {
    // By class and row, in which spans follow each other.
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<const explain::SpanDraw*>> rows;
    for (const explain::SpanDraw& draw : result.record.draws) {
      if (draw.resource == resource) {
        const NamedSpan& span = result.record.spans[draw.span];
        rows[{span.device_class, row_of(result, span)}].push_back(&draw);
      }
    }
    for (const auto& [row, draws] : rows) {
      writer.thread_name(
          process,
          thread,
          fmt::format("{}, {}{}",
                      result.record.resources[resource],
                      row_name(result, row.second),
                      rows.size() > kRows.size() + 1 ? fmt::format(" of {}", row.first) : ""));
      for (const explain::SpanDraw* draw : draws) {
        const NamedSpan& span = result.record.spans[draw->span];
        writer.span(process,
                    thread,
                    span.name,
                    span.begin,
                    span.end,
                    fmt::format(R"("drawn_B": {})", draw->drawn));
      }
      ++thread;
    }
  }
}

}  // namespace

void write_step_trace(const StepResult& result, std::ostream& out) {
  TraceWriter writer(out);
  for (std::uint32_t c = 0; c < result.class_members.size(); ++c) {
    write_class(result, c, writer);
  }
  write_resources(result, writer);
  writer.finish();
}

}  // namespace cairn::report
