#include "apps/cairn/options.hpp"

namespace cairn::app {

Option output_option(const char* name,
                     const char* type,
                     const char* doc,
                     std::optional<std::string>& value) {
  return {.name = name, .type = type, .doc = doc, .value = &value, .is_output = true};
}

Option settings_option(std::vector<std::string>& settings, const char* doc) {
  return {"--set", "KEY=VALUE", doc, &settings};
}

Option fold_option(std::string& fold) {
  return {.name = "--fold",
          .type = "on|off",
          .doc = "off: simulate every device instead of one per class",
          .value = &fold,
          .shows_default = true};
}

Option unroll_option(bool& unroll) {
  return {.name = "--unroll",
          .doc = "simulate every micro-batch and chunk, also where they repeat",
          .value = &unroll};
}

Option trace_option(std::optional<std::string>& trace) {
  return output_option(
      "--trace", "FILE", "write the timeline in Chrome trace format (for Perfetto)", trace);
}

Option plot_option(std::optional<std::string>& plot, const char* doc) {
  return output_option("--plot", "DIR", doc, plot);
}

Option design_option(std::string& design) {
  return {.name = "DESIGN",
          .doc = "a YAML file, or a name (cairn list designs)",
          .value = &design,
          .example = "vgg-e-on-mc-dla or my/design.yaml"};
}

void add_output(std::vector<Option>& options, Output& output, const char* detail) {
  options.push_back({"--json", "", "print one JSON object; numbers in SI units", &output.json});
  if (detail != nullptr) {
    options.push_back({"--detail", "", detail, &output.detail});
  }
  options.push_back(
      output_option("--report", "FILE.html", "write a self-contained HTML report", output.report));
}

}  // namespace cairn::app
