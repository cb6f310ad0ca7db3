// cairn validate: predictions beside measurements.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/text.hpp"

namespace cairn::app {

namespace {

// Refuses what the kind is not compared with.
void check_subject(const ValidateRequest& request, const validate::Kind& kind) {
  const bool of_platform = kind.subject == validate::SubjectKind::kPlatform;
  const char* const flag = of_platform ? "--platform" : "--device";
  const char* const other = of_platform ? "--device" : "--platform";
  const auto complaint = [&](const char* where, const char* problem) {
    return ConfigError(at(where),
                       fmt::format("{}{} is compared with a {} (expected {} {})",
                                   problem,
                                   kind.name,
                                   of_platform ? "platform" : "device",
                                   flag,
                                   of_platform ? "dgx-h100" : "h200"));
  };
  if (!(of_platform ? request.device : request.platform).empty()) {
    throw complaint(other, "");
  }
  if ((of_platform ? request.platform : request.device).empty()) {
    throw complaint(flag, "is missing: ");
  }
}

Feasible<validate::Comparison> compare(const ValidateRequest& request) {
  const validate::MeasuredTable table = validate::MeasuredTable::read(request.file);
  const validate::Kind& kind = validate::kind_of(table);
  check_subject(request, kind);
  if (kind.subject == validate::SubjectKind::kPlatform) {
    validate::Subject subject(read_platform(request.platform, request.settings, "--platform"));
    return validate::compare(table, subject);
  }
  auto device = read_device(request.device, request.settings);
  if (!device) {
    return device.reason();
  }
  validate::Subject subject(std::move(device).value());
  return validate::compare(table, subject);
}

}  // namespace

Feasible<std::string> validate(const ValidateRequest& request) {
  auto compared = compare(request);
  if (!compared) {
    return compared.reason();
  }
  const validate::Comparison comparison = std::move(compared).value();
  if (request.plot) {
    const report::Plotted plotted =
        report::plot(validate::comparison_chart(comparison), *request.plot, at("--plot"));
    const std::string note = plotted.note.empty() ? "" : "cairn: --plot: " + plotted.note + "\n";
    std::fputs(note.c_str(), stderr);
  }
  return request.json ? validate::comparison_json(comparison)
                      : validate::comparison_text(comparison);
}

}  // namespace cairn::app
