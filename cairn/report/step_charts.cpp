#include "cairn/report/step_charts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn::report {

namespace {

std::string title(const char* what, const explain::StepResult& result) {
  return fmt::format(
      "{}: {} on {} x {}, {}", what, result.model, result.devices, result.device, result.platform);
}

double milliseconds(Seconds time) {
  return time.si() * 1e3;
}

double gigabytes(Bytes bytes) {
  return bytes.si() / 1e9;
}

}  // namespace

Chart breakdown_chart(const explain::StepResult& result) {
  const explain::Breakdown& b = result.breakdown;
  const auto series = [](const char* name, Seconds alone, Seconds in_step) {
    return Series{.name = name, .y = {milliseconds(alone), milliseconds(in_step)}};
  };
  return {.name = "breakdown",
          .title = title("Where the time goes", result),
          .kind = ChartKind::kStackedBars,
          .y = {.title = "time (ms)"},
          .categories = {"without overlap", "exposed in the step"},
          .series = {series("compute", b.compute, b.compute),
                     series("communication", b.communication, b.communication_exposed),
                     series("memory", b.memory, b.memory_exposed),
                     series("idle", Seconds(0.0), b.idle)}};
}

Chart memory_chart(const explain::StepResult& result) {
  Series in_use{.name = "in use"};
  for (const explain::MemoryPoint& point : result.memory) {
    in_use.x.push_back(milliseconds(point.at.since(SimTime{})));
    in_use.y.push_back(gigabytes(point.in_use));
  }
  return {.name = "memory",
          .title = title("Memory of a device", result),
          .kind = ChartKind::kSteps,
          .x = {.title = "time (ms)"},
          .y = {.title = "memory in use (GB)"},
          .series = {std::move(in_use)},
          .levels = {{.name = "capacity", .y = gigabytes(result.capacity)}}};
}

}  // namespace cairn::report
