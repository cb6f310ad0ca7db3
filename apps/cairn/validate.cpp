// cairn validate: compares predictions with measurements.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/pictures.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/validate/comparison_document.hpp"
#include "cairn/validate/held_out.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::app {

namespace {

const char* compared_with(validate::SubjectKind subject) {
  switch (subject) {
    case validate::SubjectKind::kDevice:
      return "a device (expected --device h200)";
    case validate::SubjectKind::kPlatform:
      return "a platform (expected --platform dgx-h100)";
    case validate::SubjectKind::kSystem:
      break;
  }
  return "devices on a platform (expected --device a100 --platform dgx-a100)";
}

// Rejects flags that do not apply to the kind of measurements.
void check_subject(const ValidateRequest& request, const validate::Kind& kind) {
  const bool device = kind.subject != validate::SubjectKind::kPlatform;
  const bool platform = kind.subject != validate::SubjectKind::kDevice;
  const auto complain = [&](const char* flag, const char* problem) {
    throw ConfigError(
        at(flag),
        fmt::format("{}{} is compared with {}", problem, kind.name, compared_with(kind.subject)));
  };
  if (!device && !request.device.empty()) {
    complain("--device", "");
  }
  if (!platform && !request.platform.empty()) {
    complain("--platform", "");
  }
  if (device && request.device.empty()) {
    complain("--device", "is missing: ");
  }
  if (platform && request.platform.empty()) {
    complain("--platform", "is missing: ");
  }
}

validate::Comparison predicted(const validate::MeasuredTable& table, validate::Subject& subject) {
  Progress progress(table.rows().size(), "rows");
  return validate::compare(table, subject, [&] { progress.on_done(); });
}

Feasible<validate::Comparison> compare(const ValidateRequest& request) {
  const validate::MeasuredTable table = validate::MeasuredTable::read(request.file);
  const validate::Kind& kind = validate::kind_of(table);
  check_subject(request, kind);
  if (kind.subject == validate::SubjectKind::kPlatform) {
    validate::Subject subject(read_platform(request.platform, request.settings, "--platform"));
    return predicted(table, subject);
  }
  auto device = read_device(request.device, request.settings);
  if (!device) {
    return device.reason();
  }
  validate::Subject subject =
      kind.subject == validate::SubjectKind::kDevice
          ? validate::Subject(std::move(device).value())
          : validate::Subject(std::move(device).value(),
                              read_platform(request.platform, {}, "--platform"));
  if (!kind.framework.empty()) {
    subject.framework =
        validate::read_framework(std::string(kind.framework), data_folders("frameworks"));
  }
  return predicted(table, subject);
}

}  // namespace

std::vector<Option> options_of(ValidateRequest& request) {
  std::vector<Option> options{
      {.name = "FILE",
       .doc = "measurements as tools/measure_gpu writes them (CSV)",
       .value = &request.file,
       .example = "gemm.csv"},
      {"--device", "D", "a name (cairn list devices), chip:NAME, or a YAML file", &request.device},
      {"--platform",
       "P",
       "instead of --device for collectives, in addition for multi-device steps:\n" +
           std::string(kPlatformHelp),
       &request.platform},
      {"--held-out", "", "only rows that calibration does not fit", &request.held_out},
      settings_option(request.settings,
                      "change a value of the device or platform, e.g. "
                      "memory.bandwidth=\"2 TB/s\"")};
  add_output(options, request.output, kWholeDetail);
  options.push_back(
      plot_option(request.plot, "plot predicted against measured time into this folder"));
  return options;
}

Answer validate(const ValidateRequest& request) {
  const Pictures pictures(request.plot);
  auto compared = compare(request);
  if (!compared) {
    return compared.reason();
  }
  validate::Comparison comparison = std::move(compared).value();
  if (request.held_out) {
    validate::keep_held_out(comparison);
  }
  if (comparison.cases.empty() && comparison.skipped.empty()) {
    return Infeasible{
        .lack = Lack::kPrediction, .detail = "no row is held out", .part = comparison.kind};
  }
  if (comparison.cases.empty()) {
    const validate::SkippedRow& first = comparison.skipped.front();
    return Infeasible{
        .lack = Lack::kPrediction,
        .detail = fmt::format("no row can be predicted; line {}: {}", first.line, first.why),
        .part = comparison.kind};
  }
  pictures.draw([&] { return std::vector{validate::comparison_chart(comparison)}; });
  report::Document document = validate::document_of(comparison);
  document.name = request.file;
  return document;
}

}  // namespace cairn::app
