#include "cairn/report/step_detail.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/report/graph_json.hpp"
#include "cairn/report/step_rows.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;
using explain::StepResult;

constexpr std::size_t kMostLinkSpans = 20'000;
// Of spans of links, of which there may be many: those of devices have the whole name.
constexpr std::size_t kLinkSpanName = 60;

Json memory_of(const StepResult& result) {
  Json points = Json::array();
  for (const explain::MemoryPoint& point : result.memory) {
    points.push_back({{"at_s", point.at.since(SimTime{}).si()}, {"in_use_B", point.in_use.si()}});
  }
  return points;
}

Json classes_of(const StepResult& result) {
  Json classes = Json::array();
  for (std::uint32_t c = 0; c < result.class_members.size(); ++c) {
    classes.push_back({{"name", class_name(result, c)}, {"members", result.class_members[c]}});
  }
  return classes;
}

Json span_of(const StepResult& result, const explain::NamedSpan& span) {
  Json json{{"name", span.name},
            {"kind", explain::to_text(span.kind)},
            {"device_class", span.device_class},
            {"layer", span.layer},
            {"submitted_s", span.submitted.si()},
            {"begin_s", span.begin.si()},
            {"end_s", span.end.si()}};
  if (span.kind == memory::ActionKind::kExchange) {  // of others, the kind says the row
    json["channel"] = result.record.channels[span.channel].name;
    json["row"] = row_name(result, row_of(result, span));
  }
  if (span.bytes > Bytes(0.0)) {
    json["moved_B"] = span.bytes.si();
  }
  return json;
}

// What ran on the devices, then on the busiest links.
Json timeline_of(const StepResult& result) {
  Json spans = Json::array();
  for (const explain::NamedSpan& span : result.record.spans) {
    spans.push_back(span_of(result, span));
  }
  for (const DrawnResource& link : busiest_links(result, kMostLinkSpans)) {
    for (const ResourceRow& row : rows_of_resource(result, link)) {
      for (const explain::SpanDraw* draw : row.draws) {
        const explain::NamedSpan& span = result.record.spans[draw->span];
        spans.push_back({{"name", cut_text(span.name, kLinkSpanName)},
                         {"kind", "link"},
                         {"row", "link: " + row.name},
                         {"device_class", span.device_class},
                         {"begin_s", span.begin.si()},
                         {"end_s", span.end.si()},
                         {"moved_B", draw->drawn}});
      }
    }
  }
  return spans;
}

// Of the device's memories, from the innermost, and of main memory: what kernels get of it at most.
struct Level {
  std::string name{};
  std::optional<BytesPerSecond> bandwidth{};  // nothing: it is no limit
};

std::vector<Level> levels_of(const chip::Device& device) {
  std::vector<Level> levels;
  for (const chip::Level& level : device.levels) {
    levels.push_back({level.name, device.bandwidth_of(level)});
  }
  levels.push_back({"memory", device.memory.bandwidth * device.memory.utilization});
  return levels;
}

Json level_json(const Level& level) {
  return {{"name", level.name},
          {"bandwidth_Bps", level.bandwidth ? Json(level.bandwidth->si()) : Json(nullptr)}};
}

Json roofline_of(const StepSubject& subject) {
  constexpr double kFlopsOfMac = 2.0;
  Json levels = Json::array();
  for (const Level& level : levels_of(subject.device)) {
    levels.push_back(level_json(level));
  }
  return {{"throughput_flops", kFlopsOfMac * subject.device.macs_per_second(subject.precision)},
          {"levels", std::move(levels)}};
}

Json operators_of(const StepResult& result, const chip::Device& device) {
  const std::vector<Level> levels = levels_of(device);
  Json operators = Json::array();
  for (const explain::OperatorCost& op : result.record.operators) {
    Json traffic = Json::array();
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const bool main = i + 1 == levels.size();
      const Bytes bytes = main ? op.cost.memory : op.cost.levels[i].bytes;
      traffic.push_back({{"level", levels[i].name}, {"bytes_B", bytes.si()}});
    }
    operators.push_back({{"name", op.name},
                         {"kind", op.kind},
                         {"pass", op.pass},
                         {"layer", op.layer},
                         {"stage", op.stage},
                         {"macs", op.macs},
                         {"flops", op.flops},
                         {"time_s", op.cost.time.si()},
                         {"memory_B", op.cost.memory.si()},
                         {"utilization", op.cost.utilization},
                         {"bound_by", kernel::to_text(op.cost.bound_by)},
                         {"traffic", std::move(traffic)}});
  }
  return operators;
}

Json platform_of(const StepResult& result, const platform::Platform& platform) {
  const std::vector<Bytes>& carried = result.record.carried_by_link;
  std::vector<double> utilization;
  for (std::size_t l = 0; l < carried.size(); ++l) {
    const BytesPerSecond bandwidth = platform.graph.class_of(Id<platform::Link>(l)).bandwidth;
    const Bytes most = bandwidth * result.step_time;
    utilization.push_back(most > Bytes(0.0) ? carried[l] / most : 0.0);
  }
  return graph_json(platform, {carried, utilization});
}

}  // namespace

void add_detail(const StepResult& result, const StepSubject& subject, Json& json) {
  json["memory"] = memory_of(result);
  json["memory_of"] = class_name(result, result.memory_class);
  json["device_classes"] = classes_of(result);
  json["timeline"] = timeline_of(result);
  json["operators"] = operators_of(result, subject.device);
  json["roofline"] = roofline_of(subject);
  json["platform_graph"] = platform_of(result, subject.platform);
}

}  // namespace cairn::report
