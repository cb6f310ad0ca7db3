#include "apps/cairn/options.hpp"

namespace cairn::app {

Option settings_option(std::vector<std::string>& settings, const char* doc) {
  return {"--set", "KEY=VALUE", doc, &settings};
}

Option fold_option(std::string& fold) {
  return {.name = "--fold",
          .type = "on|off",
          .doc = "off simulates every device instead of one per class",
          .value = &fold,
          .shows_default = true};
}

Option trace_option(std::optional<std::string>& trace) {
  return {.name = "--trace",
          .type = "FILE",
          .doc = "write the timeline in Chrome trace format (for Perfetto)",
          .value = &trace,
          .path = Option::Path::kWritten};
}

Option plot_option(std::optional<std::string>& plot, const char* doc) {
  return {
      .name = "--plot", .type = "DIR", .doc = doc, .value = &plot, .path = Option::Path::kWritten};
}

Option design_option(std::string& design) {
  return {.name = "DESIGN",
          .doc = "a YAML file, or a name (cairn list designs)",
          .value = &design,
          .example = "vgg-e-on-mc-dla or my/design.yaml",
          .path = Option::Path::kRead};
}

void add_output(std::vector<Option>& options, Output& output, const char* detail) {
  options.push_back({"--json", "", "print one JSON object; numbers in SI units", &output.json});
  if (detail != nullptr) {
    options.push_back({"--detail", "", detail, &output.detail});
  }
  options.push_back({.name = "--report",
                     .type = "FILE.html",
                     .doc = "write a self-contained HTML report",
                     .value = &output.report,
                     .path = Option::Path::kWritten});
}

}  // namespace cairn::app
