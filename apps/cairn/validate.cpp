// cairn validate: predictions beside measurements.
#include <cstdio>
#include <string>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/text.hpp"

namespace cairn::app {

Feasible<std::string> validate(const ValidateRequest& request) {
  const validate::MeasuredTable table = validate::MeasuredTable::read(request.file);
  auto device = read_device(request.device, request.settings);
  if (!device) {
    return device.reason();
  }
  validate::Subject subject(std::move(device).value());
  const validate::Comparison comparison = validate::compare(table, subject);
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
