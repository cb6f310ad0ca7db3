#include "cairn/report/kernel_document.hpp"

#include <fmt/format.h>

#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::report {

namespace {

bool mapped(const kernel::Tiling& tiling) {
  return tiling.tile_rows > 0.0;
}

void add_tiling(const kernel::Tiling& tiling, Document& document) {
  if (!mapped(tiling)) {
    document.add(Field{.key = "tiling", .value = nullptr, .label = "tile", .text = "none"});
    return;
  }
  std::string text = fmt::format("{} x {} outputs", tiling.tile_rows, tiling.tile_columns);
  if (!tiling.aligned) {
    text += ", rows not aligned";
  }
  if (tiling.splits > 1.0) {
    text += fmt::format(", split-k {}", tiling.splits);
  }
  document.add(Field{
      .key = "tiling",
      .value = Object{{"tile_rows", tiling.tile_rows},
                      {"tile_columns", tiling.tile_columns},
                      {"splits", tiling.splits},
                      {"block_rows", tiling.block_rows},
                      {"block_columns", tiling.block_columns},
                      {"held", enum_name(tiling.held)},
                      {"held_rows", tiling.held_rows},
                      {"held_columns", tiling.held_columns},
                      {"aligned", tiling.aligned}},
      .label = "tile",
      .text = text,
      .note =
          tiling.held == kernel::Held::kNone
              ? fmt::format("{} x {} tiles share reads", tiling.block_rows, tiling.block_columns)
              : fmt::format("{} x {} of the {} held on chip",
                            tiling.held_rows,
                            tiling.held_columns,
                            enum_name(tiling.held))});
}

// Every memory level, innermost first, then main memory.
Table traffic_of(const KernelReport& report, const chip::Device& device) {
  Table table{.key = "traffic",
              .columns = {{.key = "name", .label = "memory", .align = Align::kLeft},
                          {.key = "moved_B", .label = "traffic"},
                          {.key = "time_s"},
                          {.label = "time"},
                          {.label = "share of time", .show = Show::kBarAndPercent}}};
  const Seconds time = report.total.time;
  const auto add = [&](const std::string& name, const kernel::Traffic& traffic, bool limits) {
    const double part = time > Seconds(0.0) ? traffic.time / time : 0.0;
    table.rows.push_back({name,
                          traffic.bytes,
                          traffic.time,
                          limits ? Value(traffic.time) : Value("unlimited"),
                          limits ? Value(part) : Value()});
  };
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    const bool limits = device.bandwidth_of(device.levels[i]).has_value();
    add(device.levels[i].name, report.total.levels[i], limits);
  }
  add("memory", report.total.memory, true);
  return table;
}

// A memory level counts as memory; its name is the resource.
void add_bound(const kernel::BoundBy& bound, Document& document) {
  using Kind = kernel::BoundBy::Kind;
  const bool level = bound.kind == Kind::kLevel;
  const bool memory = bound.kind == Kind::kMemory;
  const auto kind = bound.kind == Kind::kCompute  ? explain::BoundKind::kCompute
                    : level || memory             ? explain::BoundKind::kMemory
                    : bound.kind == Kind::kLaunch ? explain::BoundKind::kLaunch
                                                  : explain::BoundKind::kLatency;
  add_bound(document, {kind, to_text(bound), level ? bound.level.data() : memory ? "memory" : ""});
}

}  // namespace

Document document_of(const KernelReport& report, const chip::Device& device) {
  const kernel::Total& total = report.total;
  Document document{
      .verb = "kernel",
      .title = fmt::format(
          "{}, {}, {} on {}", report.what, report.pass, enum_name(report.precision), device.name)};
  document.add("operator", report.what);
  document.add("pass", report.pass);
  document.add("device", device.name);
  document.add("precision", enum_name(report.precision));
  document.add(Field{.key = "time_s", .value = total.time, .label = "time"});
  add_error_bar(document, report.error_bar);
  document.add("compute_s", total.compute);
  document.add(Field{.key = "flops",
                     .value = total.flops,
                     .label = "work",
                     .note = total.time > Seconds(0.0)
                                 ? fmt::format("at {}", to_text(total.flops / total.time))
                                 : "no work"});
  document.add(Field{.key = "utilization",
                     .value = total.utilization,
                     .label = "utilization",
                     .text = percent(total.utilization),
                     .note = "of peak matrix throughput"});
  add_bound(total.longest.bound_by, document);
  add_tiling(total.longest.tiling, document);
  document.add(Field{.key = "kernels",
                     .value = total.kernels,
                     .label = total.kernels == 1 ? "" : "kernels",
                     .note = "run one after the other; bound and tile are those of the longest"});
  document.add(traffic_of(report, device));
  return document;
}

}  // namespace cairn::report
