// cairn chip: generates a micro-architecture from a template, its technologies and budgets.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/chip/cost.hpp"
#include "cairn/chip/generate.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/report/chip_document.hpp"

namespace cairn::app {

namespace {

// A template, and the location of each of its keys.
struct Written {
  chip::Template design{};
  Config config{};
};

Written template_of(const ChipRequest& request) {
  const chip::TemplateFolders folders{.chips = data_folders("chips"),
                                      .technologies = data_folders("tech")};
  NamedFile file = load_input(request.chip, "chips", "a chip", "TEMPLATE");
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
  return {std::move(design), std::move(file.config)};
}

// The component that `limit` names, or the whole template.
const Config& place_of(const std::string& limit, const Config& config) {
  const Config* network = config.find("network");
  for (const Config* map : {&config, network}) {
    if (const Config* found = map == nullptr ? nullptr : map->find(limit)) {
      return *found;
    }
  }
  const Config* levels = config.find("levels");
  if (levels != nullptr && levels->kind == Config::Kind::kList) {
    for (const Config& level : levels->items) {
      if (const Config* name = level.find("name"); name != nullptr && name->text == limit) {
        return level;
      }
    }
  }
  return config;
}

}  // namespace

std::vector<Option> options_of(ChipRequest& request) {
  std::vector<Option> options{
      {.name = "TEMPLATE",
       .doc = "a YAML file, or a name (cairn list chips)",
       .value = &request.chip,
       .example = "v100 or my/chip.yaml"},
      settings_option(request.settings,
                      "change a value of the template, e.g. core.area=0.4,\n"
                      "or of a technology, e.g. main_memory.technology.energy=\"3 pJ/bit\"")};
  add_output(options, request.output);
  return options;
}

Answer chip(const ChipRequest& request) {
  const auto [design, config] = template_of(request);
  const Feasible<chip::Generated> made = chip::generate(design);
  if (!made) {
    Infeasible reason = made.reason();
    reason.detail += fmt::format(" ({})", to_text(place_of(reason.limit(), config).where));
    return reason;
  }
  return report::document_of(*made, chip::cost_of(*made, design));
}

}  // namespace cairn::app
