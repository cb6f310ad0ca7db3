#include "cairn/report/step_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/report/drawn_rate.hpp"
#include "cairn/report/step_rows.hpp"
#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

namespace {

using explain::NamedSpan;
using explain::StepResult;

constexpr std::size_t kMaxDraws = 500'000;  // on resources

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
  if (device_class != result.memory_class) {
    return;  // known only for the class with the highest peak
  }
  for (const explain::MemoryPoint& point : result.memory) {
    writer.counter(process, "memory in use", "B", point.at.since(SimTime{}), point.in_use.si());
  }
}

// Of one member. Parallel links share name and bandwidth.
double capacity_of(const StepResult& result, std::uint32_t resource) {
  const auto use = std::ranges::find(
      result.resources, result.record.resources[resource], &explain::ResourceUse::name);
  ensure(use != result.resources.end(), "a draw on a resource that is not listed");
  return use->bandwidth.si();
}

void write_rate(const StepResult& result,
                const DrawnResource& drawn,
                std::size_t process,
                TraceWriter& writer) {
  std::vector<DrawTime> draws;
  for (const explain::SpanDraw* draw : drawn.draws) {
    const NamedSpan& span = result.record.spans[draw->span];
    if (span.end > span.submitted) {
      draws.push_back({span.submitted, span.begin, span.end, draw->drawn});
    }
  }
  const std::string name = resource_name(result, drawn.resource);
  for (const RatePoint& point : drawn_rate(draws, capacity_of(result, drawn.resource))) {
    writer.counter(process, name, "B/s", point.at, point.rate);
  }
}

void write_resources(const StepResult& result, TraceWriter& writer) {
  const std::size_t process = result.class_members.size();
  writer.process_name(process, "resources, busiest first");
  std::size_t thread = 0;
  for (const DrawnResource& drawn : busiest_resources(result, kMaxDraws)) {
    for (const ResourceRow& row : rows_of_resource(result, drawn)) {
      writer.thread_name(process, thread, row.name);
      for (const explain::SpanDraw* draw : row.draws) {
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
    write_rate(result, drawn, process, writer);
  }
}

// From the end of a predecessor to the begin of its successor, wherever both are shown.
void write_flows(const StepResult& result, TraceWriter& writer) {
  const auto& spans = result.record.spans;
  const auto wide = [](const NamedSpan& span) { return has_inside(span.begin, span.end); };
  for (const auto& [from, to] : result.record.flows) {
    if (!wide(spans[from]) || !wide(spans[to]) || spans[to].begin < spans[from].end) {
      continue;
    }
    for (std::uint32_t c = 0; c < result.class_members.size(); ++c) {
      if (takes_part(result, c, spans[from]) && takes_part(result, c, spans[to])) {
        writer.flow({c, row_of(result, spans[from]), spans[from].end - kTraceTick},
                    {c, row_of(result, spans[to]), spans[to].begin});
      }
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
  write_flows(result, writer);
  writer.finish();
}

}  // namespace cairn::report
