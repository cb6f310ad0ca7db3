// cairn chip: the micro-architecture that a template, its technologies and its budgets give.
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/chip/generate.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/report/chip_json.hpp"
#include "cairn/report/chip_text.hpp"

namespace cairn::app {

namespace {

chip::Template template_of(const ChipRequest& request) {
  const chip::TemplateFolders folders{.chips = data_folders("chips"),
                                      .technologies = data_folders("tech")};
  NamedFile file = load_named(request.chip, folders.chips, "a chip", at("TEMPLATE"));
  for (const std::string& setting : request.settings) {
    chip::set_value_of_template(file.config, setting, folders);
  }
  chip::Template design = chip::read_template(file.config, folders);
  if (design.name.empty()) {
    design.name = file.name;
  }
  for (const std::string& setting : request.settings) {
    design.name += ", " + setting;
  }
  return design;
}

}  // namespace

Feasible<std::string> chip(const ChipRequest& request) {
  const chip::Template design = template_of(request);
  const Feasible<chip::Generated> made = chip::generate(design);
  if (!made) {
    return made.reason();
  }
  const chip::Cost cost = chip::cost_of(*made, design);
  return request.json ? report::chip_json(*made, cost) : report::chip_text(*made, cost);
}

}  // namespace cairn::app
