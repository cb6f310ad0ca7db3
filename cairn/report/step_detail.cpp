#include "cairn/report/step_detail.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/report/graph_value.hpp"
#include "cairn/report/step_rows.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using explain::StepResult;

constexpr std::size_t kMaxLinkSpans = 20'000;
// Names of link spans are cut, as there may be many; spans of devices keep the full name.
constexpr std::size_t kLinkSpanName = 60;

Table memory_of(const StepResult& result) {
  Table table{.key = "memory", .columns = {{"at_s"}, {"in_use_B"}}, .detail = true};
  for (const explain::MemoryPoint& point : result.memory) {
    table.rows.push_back({point.at.since(SimTime{}), point.in_use});
  }
  return table;
}

Table classes_of(const StepResult& result) {
  Table table{.key = "device_classes", .columns = {{"name"}, {"members"}}, .detail = true};
  for (std::uint32_t c = 0; c < result.class_members.size(); ++c) {
    table.rows.push_back({class_name(result, c), result.class_members[c]});
  }
  return table;
}

// Spans of the devices, then of the busiest links.
Table timeline_of(const StepResult& result) {
  Table table{.key = "timeline",
              .columns = {{"name"},
                          {"kind"},
                          {"device_class"},
                          {"layer"},
                          {"submitted_s"},
                          {"begin_s"},
                          {"end_s"},
                          {"channel"},
                          {"row"},
                          {"moved_B"}},
              .detail = true};
  for (const explain::NamedSpan& span : result.record.spans) {
    // Spans of other kinds need no row name: the kind implies it.
    const bool exchange = span.kind == memory::ActionKind::kExchange;
    table.rows.push_back({span.name,
                          explain::to_text(span.kind),
                          span.device_class,
                          span.layer,
                          span.submitted,
                          span.begin,
                          span.end,
                          exchange ? Value(result.record.channels[span.channel].name) : Value(),
                          exchange ? Value(row_name(result, row_of(result, span))) : Value(),
                          span.bytes > Bytes(0.0) ? Value(span.bytes) : Value()});
  }
  for (const DrawnResource& link : busiest_links(result, kMaxLinkSpans)) {
    for (const ResourceRow& row : rows_of_resource(result, link)) {
      for (const explain::SpanDraw* draw : row.draws) {
        const explain::NamedSpan& span = result.record.spans[draw->span];
        table.rows.push_back({cut_text(span.name, kLinkSpanName),
                              "link",
                              span.device_class,
                              {},
                              {},
                              span.begin,
                              span.end,
                              {},
                              "link: " + row.name,
                              Bytes(draw->drawn)});
      }
    }
  }
  return table;
}

// Bandwidth that kernels can reach at each memory level, innermost first, then main memory.
struct Level {
  std::string name{};
  std::optional<BytesPerSecond> bandwidth{};  // nothing: unlimited
};

std::vector<Level> levels_of(const chip::Device& device) {
  std::vector<Level> levels;
  for (const chip::Level& level : device.levels) {
    levels.push_back({level.name, device.bandwidth_of(level)});
  }
  levels.push_back({"memory", device.memory.bandwidth * device.memory.utilization});
  return levels;
}

Value roofline_of(const StepSubject& subject) {
  constexpr double kFlopsOfMac = 2.0;
  List levels;
  for (const Level& level : levels_of(subject.device)) {
    levels.push_back(Object{{"name", level.name}, {"bandwidth_Bps", level.bandwidth}});
  }
  return Object{
      {"throughput_flops", kFlopsOfMac * subject.device.macs_per_second(subject.precision)},
      {"levels", std::move(levels)}};
}

Table operators_of(const StepResult& result, const chip::Device& device) {
  Table table{.key = "operators",
              .columns = {{"name"},
                          {"kind"},
                          {"pass"},
                          {"layer"},
                          {"stage"},
                          {"macs"},
                          {"flops"},
                          {"time_s"},
                          {"memory_B"},
                          {"utilization"},
                          {"bound_by"},
                          {"traffic"}},
              .detail = true};
  const std::vector<Level> levels = levels_of(device);
  for (const explain::OperatorCost& op : result.record.operators) {
    List traffic;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const bool main = i + 1 == levels.size();
      const Bytes bytes = main ? op.cost.memory : op.cost.levels[i].bytes;
      traffic.push_back(Object{{"level", levels[i].name}, {"bytes_B", bytes}});
    }
    table.rows.push_back({op.name,
                          op.kind,
                          op.pass,
                          op.layer,
                          op.stage,
                          op.macs,
                          op.flops,
                          op.cost.time,
                          op.cost.memory,
                          op.cost.utilization,
                          kernel::to_text(op.cost.bound_by),
                          std::move(traffic)});
  }
  return table;
}

Value platform_of(const StepResult& result, const platform::Platform& platform) {
  const std::vector<Bytes>& traffic = result.record.traffic_by_link;
  std::vector<double> utilization;
  for (std::size_t l = 0; l < traffic.size(); ++l) {
    const BytesPerSecond bandwidth = platform.graph.class_of(Id<platform::Link>(l)).bandwidth;
    const Bytes capacity = bandwidth * result.step_time;
    utilization.push_back(capacity > Bytes(0.0) ? traffic[l] / capacity : 0.0);
  }
  return graph_value(platform, {traffic, utilization});
}

}  // namespace

void add_detail(const StepResult& result, const StepSubject& subject, Document& document) {
  const auto add = [&](const char* key, Value value) {
    document.add(Field{.key = key, .value = std::move(value), .detail = true});
  };
  document.add(memory_of(result));
  add("memory_of", class_name(result, result.memory_class));
  document.add(classes_of(result));
  document.add(timeline_of(result));
  document.add(operators_of(result, subject.device));
  add("roofline", roofline_of(subject));
  add("platform_graph", platform_of(result, subject.platform));
}

}  // namespace cairn::report
