// cairn run: predicts the time of a training step, and explains it.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/located.hpp"
#include "apps/cairn/model_design.hpp"
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
  std::vector<std::string> defaults{};  // of flags that were not given
};

Feasible<Written> design_of(const RunRequest& request, bool detail) {
  const DataFolders folders = DataFolders::in(data_roots());
  ModelDesign made = names_a_model(request)
                         ? design_of_model(request)
                         : ModelDesign{.config = written_design(request.design, request.settings)};
  const Config& config = made.config;
  const bool fold = parse_name(request.fold, "--fold", "on or off", {"on", "off"}) == 0;
  auto design = read_design(config, folders);
  if (!design) {
    return design.reason();
  }
  Written written{std::move(design).value(), std::move(made.config), std::move(made.defaults)};
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
      {.name = "DESIGN",
       .doc = "a YAML file, or a name (cairn list designs); with --device, a language model:\n"
              "a name (cairn list models), a YAML file, or a config.json of Hugging Face",
       .value = &request.design,
       .example = "vgg-e-on-mc-dla or my/design.yaml"},
      {"--device", "NAME", "train the model on devices of this type", &request.device},
      {"--devices", "N", "number of devices (default: that of --strategy)", &request.devices},
      {"--strategy",
       "TEXT",
       "sizes of tensor, pipeline and data parallelism, e.g. tp8-pp4-dp8\n"
       "(default: at most tp8, the rest dp)",
       &request.strategy},
      {"--seq", "N", "tokens of a sequence (default: 8192, or the model's largest)", &request.seq},
      {"--micro-batch",
       "N",
       "sequences of a replica in a micro-batch (default: 1)",
       &request.micro_batch},
      {"--global-batch",
       "N",
       "sequences of a step (default: about 4 million tokens)",
       &request.global_batch},
      {"--platform",
       "NAME",
       "what connects the devices (default: the DGX or SuperPOD of the device)",
       &request.platform},
      output_option(
          "--out", "FILE.yaml", "write the design that these flags stand for", request.out),
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
  const auto& [design, config, defaults] = *written;
  if (request.out) {
    report::write_atomically(*request.out, at("--out"), [&, &config = config](std::ostream& out) {
      out << to_text(config) << '\n';
    });
  }
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
  if (!defaults.empty()) {
    document.add(
        report::Field{.label = "defaults", .text = fmt::format("{}", fmt::join(defaults, ", "))});
  }
  document.add("design", values_of(config));
  if (request.sensitivity) {
    document.add(elasticities_of(config));
  }
  return document;
}

}  // namespace cairn::app
