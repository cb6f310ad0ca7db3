// One recurrent layer over all steps; the input has the hidden size.
#include <fmt/format.h>

#include "cairn/base/schema.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kernels.hpp"

namespace cairn::validate {

namespace {

model::Cell cell_of(const MeasuredRow& row) {
  for (const auto& [cell, name] : EnumNames<model::Cell>::kNames) {
    if (row.text("kind") == name) {
      return cell;
    }
  }
  row.reject("kind", "is not a cell (expected vanilla, lstm or gru)");
}

}  // namespace

void predict_recurrent(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  constexpr double kMaxSteps = 10000.0;
  const chip::Precision precision = precision_of(row);
  const double steps = row.whole("steps", 1);
  if (steps > kMaxSteps) {
    row.reject("steps", fmt::format("is too many (expected at most {})", kMaxSteps));
  }
  const model::RecurrentNet network{.cell = cell_of(row),
                                    .hidden = row.whole("hidden", 1),
                                    .steps = static_cast<std::uint32_t>(steps)};
  const model::Graph graph = model::with_backward_pass(model::build(
      network, row.whole("batch", 1), {.recurrent = model::RecurrentKernels::kByLayer}));
  const std::string name = fmt::format("{} of {}, {} samples, {} steps",
                                       row.text("kind"),
                                       row.text("hidden"),
                                       row.text("batch"),
                                       row.text("steps"));
  if (choice(row, "launch", {"replay", "python"}) == "python") {
    comparison.skipped.push_back(
        {name, row.line(), "launched by Python: the time of the host is not modelled"});
    return;
  }
  const Kernels forward = kernels_of(graph, model::Pass::kForward, precision, false, subject);
  const Kernels backward = backward_kernels(graph, precision, false, subject);
  const auto add = [&](const char* pass, const char* column, Seconds time) {
    comparison.cases.push_back(
        {.name = name + ", " + pass,
         .group = row.text("kind") + ", " + pass,
         .shape = fmt::format("{} of {}", row.text("kind"), row.text("hidden")),
         .line = row.line(),
         .measured = microseconds(row, column),
         .predicted = time,
         .bound_by = forward.bound_by});
  };
  add("forward", "fwd_us", forward.time);
  add("forward and backward", "fwdbwd_us", forward.time + backward.time);
}

}  // namespace cairn::validate
