// cairn sensitivity: elasticity of step time in each parameter of a design.
#include "cairn/explore/sensitivity.hpp"

#include <cmath>
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/figure.hpp"
#include "cairn/explore/sensitivity_document.hpp"

namespace cairn::app {

namespace {

double factor_of(const std::string& text) {
  const auto figure = figure_in(text);
  const bool is_factor = figure && (figure->unit.empty() || figure->unit == "x") &&
                         std::isfinite(figure->number) && figure->number > 0.0 &&
                         figure->number != 1.0;
  if (!is_factor) {
    throw ConfigError(
        at("--to"), "\"" + text + "\" is not a factor above 0 other than 1 (expected e.g. \"2x\")");
  }
  return figure->number;
}

}  // namespace

std::vector<Option> options_of(SensitivityRequest& request) {
  std::vector<Option> options{
      design_option(request.design),
      settings_option(request.settings, "change a value of the design, e.g. strategy.batch=1024"),
      {"--to",
       "FACTOR",
       "multiply each parameter by this factor, e.g. 2x, instead of +1 %",
       &request.to},
      {.name = "--threads",
       .type = "N",
       .doc = "threads that evaluate designs (0: one per core)",
       .value = &request.threads,
       .shows_default = true}};
  add_output(options, request.output);
  return options;
}

Answer sensitivity(const SensitivityRequest& request) {
  const DataFolders folders = DataFolders::in(data_roots());
  const Config design = written_design(request.design, request.settings);
  explore::SensitivityOptions options{.threads = parse_threads(request.threads)};
  if (!request.to.empty()) {
    options.factor = factor_of(request.to);
    options.one_way = true;
  }
  const auto parameters = explore::parameters_of(design, folders);
  const auto found = [&] {
    Progress progress(parameters.size(), "parameters");
    options.on_done = [&] { progress.on_done(); };
    return explore::sensitivity(design, parameters, folders, options);
  }();
  if (!found) {
    return found.reason();
  }
  return explore::document_of(request.design, *found, options);
}

}  // namespace cairn::app
