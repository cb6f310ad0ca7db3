// cairn run: predicts the time of a training step, and explains it.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/located.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/pictures.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/config_reader.hpp"
#include "cairn/design.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/explore/sensitivity_document.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/step_charts.hpp"
#include "cairn/report/step_document.hpp"
#include "cairn/report/step_trace.hpp"

namespace cairn::app {

namespace {

// A design, and the location of each of its keys.
struct Written {
  Design design{};
  Config config{};
};

Feasible<Written> design_of(const RunRequest& request, bool detail) {
  const DataFolders folders = DataFolders::in(data_roots());
  Config config = written_design(request.design, request.settings);
  const bool fold = parse_name(request.fold, "--fold", "on or off", {"on", "off"}) == 0;
  auto design = read_design(config, folders);
  if (!design) {
    return design.reason();
  }
  Written written{std::move(design).value(), std::move(config)};
  written.design.machine.fold = fold;
  written.design.unroll = request.unroll;
  written.design.machine.locate_links = detail;
  return written;
}

// Effect of +1 % in each parameter of the design.
report::Table elasticities_of(const Config& design) {
  const DataFolders folders = DataFolders::in(data_roots());
  const auto parameters = explore::parameters_of(design, folders);
  explore::SensitivityOptions options;
  Progress progress(parameters.size(), "elasticities");
  options.on_done = [&] { progress.on_done(); };
  const auto found = explore::sensitivity(design, parameters, folders, options);
  return explore::elasticities(found ? *found : explore::Sensitivity{});
}

}  // namespace

std::vector<Option> options_of(RunRequest& request) {
  std::vector<Option> options{
      design_option(request.design),
      settings_option(request.settings,
                      "change a value of the design, e.g. strategy.batch=256,\n"
                      "or of a file it names, e.g. device.memory.capacity=\"80 GiB\""),
      fold_option(request.fold),
      unroll_option(request.unroll)};
  add_output(options,
             request.output,
             "with --json: timeline, memory over time, operators, the platform's graph");
  options.push_back({"--sensitivity",
                     "",
                     "with --json or --report: add the effect of +1 % in each parameter of\n"
                     "the design (simulates a few hundred steps)",
                     &request.sensitivity});
  options.push_back(trace_option(request.trace));
  options.push_back(plot_option(request.plot,
                                "plot the breakdown and memory over time into this folder,\n"
                                "with data and scripts for gnuplot"));
  return options;
}

Answer run(const RunRequest& request) {
  const Output& output = request.output;
  if (request.sensitivity && !output.json && !output.report) {
    throw ConfigError(at("--sensitivity"), "needs --json or --report");
  }
  const Pictures pictures(request.plot);
  const Feasible<Written> written = design_of(request, output.needs_detail());
  if (!written) {
    return written.reason();
  }
  const auto& [design, config] = *written;
  const report::StepSubject subject{design.platform, design.device, design.strategy.precision};
  const Feasible<explain::StepResult> result = [&, &design = design] {
    const Progress progress(1, "steps");
    const bool record = output.needs_detail() || request.trace;
    return evaluate(design, record ? Detail::kRecord : Detail::kResult);
  }();
  if (!result) {
    return located(result.reason(), config);
  }
  if (request.trace) {
    report::write_atomically(*request.trace, at("--trace"), [&](std::ostream& out) {
      report::write_step_trace(*result, out);
    });
  }
  pictures.draw(
      [&] { return std::vector{report::breakdown_chart(*result), report::memory_chart(*result)}; });
  report::Document document =
      report::document_of(*result, output.needs_detail() ? &subject : nullptr);
  document.name = design.name.empty() ? request.design : design.name;
  document.description = text_at(config, "description");
  document.add("design", values_of(config));
  if (request.sensitivity) {
    document.add(elasticities_of(config));
  }
  return document;
}

}  // namespace cairn::app
