#include "cairn/report/kernel_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "cairn/base/quantity_text.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

struct Line {
  std::string name{};
  kernel::Traffic traffic{};
  bool limits = true;  // has a bandwidth
};

// Every level from the innermost, then main memory.
std::vector<Line> traffic_of(const KernelReport& report, const chip::Device& device) {
  std::vector<Line> lines;
  lines.reserve(device.levels.size() + 1);
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    lines.push_back({device.levels[i].name,
                     report.total.levels[i],
                     device.bandwidth_of(device.levels[i]).has_value()});
  }
  lines.push_back({"memory", report.total.memory, true});
  return lines;
}

bool mapped(const kernel::Tiling& tiling) {
  return tiling.tile_rows > 0.0;
}

std::string tiling_text(const kernel::Tiling& tiling) {
  if (!mapped(tiling)) {
    return "none";
  }
  std::string text = fmt::format("{} x {} outputs", tiling.tile_rows, tiling.tile_columns);
  if (!tiling.aligned) {
    text += ", rows not aligned";
  }
  if (tiling.splits > 1.0) {
    text += fmt::format(", sums in {} parts", tiling.splits);
  }
  if (tiling.held != kernel::Held::kNone) {
    return noted(text,
                 fmt::format("{} x {} of the {} held on the chip",
                             tiling.held_rows,
                             tiling.held_columns,
                             enum_name(tiling.held)));
  }
  return noted(text,
               fmt::format("{} x {} tiles share reads", tiling.block_rows, tiling.block_columns));
}

Json tiling_json(const kernel::Tiling& tiling) {
  if (!mapped(tiling)) {
    return nullptr;
  }
  return {{"tile_rows", tiling.tile_rows},
          {"tile_columns", tiling.tile_columns},
          {"splits", tiling.splits},
          {"block_rows", tiling.block_rows},
          {"block_columns", tiling.block_columns},
          {"held", enum_name(tiling.held)},
          {"held_rows", tiling.held_rows},
          {"held_columns", tiling.held_columns},
          {"aligned", tiling.aligned}};
}

std::string traffic_table(const KernelReport& report, const chip::Device& device) {
  const std::vector<Column> columns{{.header = "memory", .align = Align::kLeft},
                                    {.header = "moved"},
                                    {.header = "takes"},
                                    {.header = "of the time"}};
  std::vector<std::vector<std::string>> rows;
  for (const Line& line : traffic_of(report, device)) {
    const double part =
        report.total.time > Seconds(0.0) ? line.traffic.time / report.total.time : 0.0;
    rows.push_back({line.name,
                    to_text(line.traffic.bytes),
                    line.limits ? to_text(line.traffic.time) : "no limit",
                    line.limits ? fmt::format("{}  {:5.1f} %", bar(part), 100.0 * part) : ""});
  }
  return table_text(columns, rows);
}

}  // namespace

std::string kernel_text(const KernelReport& report, const chip::Device& device) {
  const kernel::Total& total = report.total;
  std::string text = wrap_text(fmt::format("{}, {}, {} on {}",
                                           report.what,
                                           report.pass,
                                           enum_name(report.precision),
                                           device.name),
                               0) +
                     "\n\n";
  text += labelled("time", to_text(total.time));
  text += error_bar_line(report.error_bar);
  text += labelled(
      "work",
      noted(to_text(total.flops),
            total.time > Seconds(0.0) ? fmt::format("at {}", to_text(total.flops / total.time))
                                      : "nothing to do"));
  text += labelled("utilization",
                   noted(fmt::format("{:.1f} %", 100.0 * total.utilization),
                         "of the matrix units at full rate"));
  text += labelled("bound by", to_text(total.longest.bound_by));
  text += labelled("tile", tiling_text(total.longest.tiling));
  if (total.kernels != 1) {
    text += labelled("kernels",
                     noted(fmt::format("{}", total.kernels),
                           "one after the other; bound and tile are those of the longest"));
  }
  return text + "\n" + traffic_table(report, device);
}

std::string kernel_json(const KernelReport& report, const chip::Device& device) {
  const kernel::Total& total = report.total;
  Json traffic = Json::array();
  for (const Line& line : traffic_of(report, device)) {
    traffic.push_back({{"name", line.name},
                       {"moved_B", line.traffic.bytes.si()},
                       {"time_s", line.traffic.time.si()}});
  }
  Json json{{"operator", report.what},
            {"pass", report.pass},
            {"device", device.name},
            {"precision", enum_name(report.precision)},
            {"kernels", total.kernels},
            {"time_s", total.time.si()},
            {"compute_s", total.compute.si()},
            {"flops", total.flops.si()},
            {"utilization", total.utilization},
            {"bound_by", to_text(total.longest.bound_by)},
            {"tiling", tiling_json(total.longest.tiling)},
            {"traffic", traffic}};
  if (report.error_bar.error) {
    json["error_bar"] = *report.error_bar.error;
  } else if (!report.error_bar.why_none.empty()) {
    json["error_bar"] = nullptr;
    json["why_no_error_bar"] = report.error_bar.why_none;
  }
  return json_text(std::move(json));
}

}  // namespace cairn::report
