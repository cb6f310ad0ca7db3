#include "apps/cairn/flags.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/cairn/examples.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/design.hpp"
#include "cairn/explore/search_file.hpp"

namespace cairn::app {

namespace {

constexpr const char* kPlatformHelp =
    "a preset (cairn list platforms), a YAML file, or inline:\nTOPOLOGY:DIMS@BANDWIDTH,LATENCY";

constexpr const char* kPlatformSetting =
    "change a value of the platform, e.g. bandwidth=\"50 GB/s\"";

// Flags that several verbs share.
void add_settings(CLI::App& verb, std::vector<std::string>& settings, const char* doc) {
  verb.add_option("--set", settings, doc)->type_name("KEY=VALUE")->allow_extra_args(false);
}

void add_json(CLI::App& verb, bool& json) {
  verb.add_flag("--json", json, "print one JSON object; numbers in SI units");
}

// Of what has no more to say in detail, so that one may ask every verb for it.
void add_whole_json(CLI::App& verb, bool& json, bool& detail) {
  add_json(verb, json);
  verb.add_flag("--detail", detail, "with --json: the same, which is always whole");
}

void add_fold(CLI::App& verb, std::string& fold) {
  verb.add_option("--fold", fold, "off simulates every device instead of one per class")
      ->type_name("on|off")
      ->capture_default_str();
}

void add_trace(CLI::App& verb, std::optional<std::string>& trace) {
  verb.add_option("--trace", trace, "write the timeline in Chrome trace format (for Perfetto)")
      ->type_name("FILE");
}

void add_report(CLI::App& verb, std::optional<std::string>& report) {
  verb.add_option("--report", report, "write a page that shows all of it and needs nothing else")
      ->type_name("FILE.html");
}

// All keys of what the verb reads, then an example; put together only for those who ask for help.
void add_reference(CLI::App& verb, std::string (*reference)(), const char* example) {
  verb.footer(std::function<std::string()>(reference));
  verb.footer(std::string(example));
}

}  // namespace

CLI::App* add_run(CLI::App& app, RunRequest& request) {
  CLI::App* verb = app.add_subcommand("run", "how long a training step takes, and why");
  add_reference(*verb, design_reference, kRunExample);
  verb->add_option("DESIGN", request.design, "a YAML file, or a name (cairn list designs)")
      ->type_name("");
  add_settings(*verb,
               request.settings,
               "change a value of the design, e.g. strategy.batch=256,\n"
               "or of what it names, e.g. device.memory.capacity=\"80 GiB\"");
  add_fold(*verb, request.fold);
  add_json(*verb, request.json);
  verb->add_flag("--detail",
                 request.detail,
                 "with --json: timeline, memory over time, operators, the platform's graph");
  verb->add_flag("--sensitivity",
                 request.sensitivity,
                 "with --json or --report: also what 1 % more of each number of the\n"
                 "design buys, which takes some hundred steps");
  add_report(*verb, request.report);
  add_trace(*verb, request.trace);
  verb->add_option("--plot",
                   request.plot,
                   "draw the breakdown and memory over time into this folder,\n"
                   "with numbers and scripts for gnuplot")
      ->type_name("DIR");
  return verb;
}

CLI::App* add_study(CLI::App& app, StudyRequest& request) {
  CLI::App* verb = app.add_subcommand("study", "a paper's claims, ours beside theirs");
  verb->footer(kStudyExample);
  verb->add_option("STUDY", request.study, "a name (cairn list studies), or a YAML file")
      ->type_name("");
  add_settings(*verb,
               request.settings,
               "change a value of the study, e.g. assumptions.precision.value=fp32");
  verb->add_flag(
      "--range", request.range, "for each claim the interval over what the paper leaves unsaid");
  add_whole_json(*verb, request.json, request.detail);
  add_report(*verb, request.report);
  verb->add_option("--plot",
                   request.plot,
                   "write claims and figures into this folder: CSV, pictures,\n"
                   "and scripts for gnuplot")
      ->type_name("DIR");
  return verb;
}

CLI::App* add_search(CLI::App& app, SearchRequest& request) {
  CLI::App* verb = app.add_subcommand("search", "the best of many designs");
  add_reference(*verb, explore::request_reference, kSearchExample);
  verb->add_option("SEARCH", request.search, "a YAML file, or a name (cairn list searches)")
      ->type_name("");
  add_settings(*verb, request.settings, "change a value of the search, e.g. algorithm.seed=7");
  verb->add_option("--threads",
                   request.threads,
                   "that evaluate designs (0: one per core; the default, but one per rank\n"
                   "under mpirun)")
      ->type_name("N");
  add_json(*verb, request.json);
  verb->add_flag("--detail", request.detail, "with --json: every design that was tried");
  add_report(*verb, request.report);
  verb->add_option("--store", request.store, "keep every design that was tried, as it is tried")
      ->type_name("FILE");
  verb->add_flag("--resume", request.resume, "go on with the store of a run that was stopped");
  verb->add_option("--from", request.from, "show what a store holds, instead of searching")
      ->type_name("FILE");
  verb->add_option("--csv", request.csv, "write every design that was tried as a table")
      ->type_name("FILE");
  verb->add_option("--plot",
                   request.plot,
                   "draw the best so far, the front and the best designs into this folder")
      ->type_name("DIR");
  verb->add_option("--out", request.out, "write the best designs into this folder")
      ->type_name("DIR");
  return verb;
}

CLI::App* add_sensitivity(CLI::App& app, SensitivityRequest& request) {
  CLI::App* verb = app.add_subcommand("sensitivity", "what more of each number of a design buys");
  verb->footer(kSensitivityExample);
  verb->add_option("DESIGN", request.design, "a YAML file, or a name (cairn list designs)")
      ->type_name("");
  add_settings(*verb, request.settings, "change a value of the design, e.g. strategy.batch=1024");
  verb->add_option("--to", request.to, "instead of 1 % more: so many times each number, e.g. 2x")
      ->type_name("FACTOR");
  verb->add_option("--threads", request.threads, "that evaluate designs (0: one per core)")
      ->type_name("N")
      ->capture_default_str();
  add_json(*verb, request.json);
  return verb;
}

CLI::App* add_collective(CLI::App& app, CollectiveRequest& request) {
  CLI::App* verb = app.add_subcommand("collective", "how long a collective takes, and why");
  verb->footer(kCollectiveExample);
  const auto add = [&](const char* flag, auto& value, const char* type, const char* doc) {
    return verb->add_option(flag, value, doc)->type_name(type);
  };
  add("--platform", request.platform, "P", kPlatformHelp);
  add("--op", request.op, "OP", "the collective (cairn list collectives)")->capture_default_str();
  add("--size",
      request.sizes,
      "SIZE",
      "of a device's larger buffer, as in nccl-tests: \"100 MB\" (default),\n"
      "a list \"1 MB,2 MB\", or doubling \"1 KiB..1 GiB\"")
      ->allow_extra_args(false);
  add("--algorithm",
      request.algorithm,
      "A",
      "auto: the least estimate; hierarchical:ring,direct: by dimension")
      ->capture_default_str();
  add("--group",
      request.group,
      "DEVICES",
      "who takes part, in order: 0-7 or 0,2,4-6 (default all)");
  add("--endpoint",
      request.endpoint,
      "E",
      "who executes it at each device (cairn list endpoints), or a YAML file")
      ->capture_default_str();
  add("--device", request.device, "D", "whose endpoints they are, unless ideal")
      ->capture_default_str();
  add("--root", request.root, "N", "position in the group, for broadcast, reduce, ... (default 0)");
  add("--chunks", request.chunks, "N", "cut the payload into N (default: the fastest by estimate)");
  add("--chunk-size",
      request.chunk_size,
      "SIZE",
      "cut the payload into chunks of at most SIZE, instead of --chunks");
  add("--window", request.window, "N", "chunks on their way at once (default 64)");
  add_fold(*verb, request.fold);
  verb->add_flag("--steps", request.steps, "simulate each step of a phase on its own");
  add_settings(*verb,
               request.settings,
               "change a value of the platform, e.g. bandwidth=\"50 GB/s\", of the\n"
               "endpoint (endpoint.sms=6) or of the device (device.fabric.bus=\"1 TB/s\")");
  add_json(*verb, request.json);
  verb->add_flag("--detail", request.detail, "with --json: what each link of the platform did");
  add_report(*verb, request.report);
  add_trace(*verb, request.trace);
  return verb;
}

CLI::App* add_platform(CLI::App& app, PlatformRequest& request) {
  CLI::App* verb = app.add_subcommand("platform", "what a platform is made of");
  verb->footer(kPlatformExample);
  verb->add_option("P", request.platform, kPlatformHelp)->type_name("");
  add_settings(*verb, request.settings, kPlatformSetting);
  add_json(*verb, request.json);
  verb->add_flag("--dot", request.dot, "print the graph for Graphviz");
  return verb;
}

CLI::App* add_chip(CLI::App& app, ChipRequest& request) {
  CLI::App* verb = app.add_subcommand("chip", "the chip that technology and budgets give");
  add_reference(*verb, chip::template_reference, kChipExample);
  verb->add_option("TEMPLATE", request.chip, "a YAML file, or a name (cairn list chips)")
      ->type_name("");
  add_settings(*verb,
               request.settings,
               "change a value of the template, e.g. core.area=0.4,\n"
               "or of a technology, e.g. main_memory.technology.energy=\"3 pJ/bit\"");
  add_json(*verb, request.json);
  return verb;
}

CLI::App* add_kernel(CLI::App& app, KernelRequest& request) {
  CLI::App* verb = app.add_subcommand("kernel", "how long one operator takes on a device, and why");
  add_reference(*verb, chip::device_reference, kKernelExample);
  verb->add_option("OP", request.op, "gemm, or a layer (cairn list operators)")->type_name("");
  const auto add = [&](const char* flag, auto& value, const char* type, const char* doc) {
    return verb->add_option(flag, value, doc)->type_name(type);
  };
  add("--device", request.device, "D", "a name (cairn list devices), chip:NAME, or a YAML file");
  add("--precision", request.precision, "P", "fp64, fp32, tf32, fp16, bf16, fp8 or int8")
      ->capture_default_str();
  add("--m", request.m, "N", "of gemm: rows of the output");
  add("--n", request.n, "N", "of gemm: columns of the output");
  add("--k", request.k, "N", "of gemm: products in each sum");
  add("--input", request.input, "MAP", "of a layer: one sample, as a model's input is written");
  add("--layer", request.layer, "MAP", "of a layer: its keys (cairn list layers NAME)");
  add("--batch", request.batch, "N", "of a layer: samples (default 1)");
  add("--pass",
      request.pass,
      "PASS",
      "of a layer: forward (default), data_gradient, weight_gradient or update");
  add_settings(
      *verb, request.settings, "change a value of the device, e.g. memory.bandwidth=\"2 TB/s\"");
  add_json(*verb, request.json);
  return verb;
}

CLI::App* add_validate(CLI::App& app, ValidateRequest& request) {
  CLI::App* verb = app.add_subcommand("validate", "how far predictions are from measurements");
  verb->footer(kValidateExample);
  verb->add_option("FILE", request.file, "measurements as tools/measure_gpu writes them (CSV)")
      ->type_name("");
  verb->add_option(
          "--device", request.device, "a name (cairn list devices), chip:NAME, or a YAML file")
      ->type_name("D");
  verb->add_option("--platform",
                   request.platform,
                   "instead, for collectives, or as well, for steps on several devices:\n" +
                       std::string(kPlatformHelp))
      ->type_name("P");
  add_settings(*verb,
               request.settings,
               "change a value of the device or platform, e.g. memory.bandwidth=\"2 TB/s\"");
  add_whole_json(*verb, request.json, request.detail);
  add_report(*verb, request.report);
  verb->add_option("--plot", request.plot, "draw predicted against measured into this folder")
      ->type_name("DIR");
  return verb;
}

CLI::App* add_calibrate(CLI::App& app, CalibrateRequest& request) {
  CLI::App* verb =
      app.add_subcommand("calibrate", "a device whose figures are fitted to measurements");
  verb->footer(kCalibrateExample);
  verb->add_option("FILES", request.files, "measurements as tools/measure_gpu writes them (CSV)")
      ->type_name("");
  verb->add_option("--device", request.device, "to begin with: a name, or a YAML file")
      ->type_name("D");
  add_settings(
      *verb, request.settings, "change a value of the device, e.g. memory.bandwidth=\"2 TB/s\"");
  verb->add_option("--out", request.out, "the device's file that is written")->type_name("FILE");
  add_json(*verb, request.json);
  return verb;
}

CLI::App* add_compare(CLI::App& app, CompareRequest& request) {
  CLI::App* verb = app.add_subcommand("compare", "why two results differ");
  verb->footer(kCompareExample);
  verb->add_option("A", request.a, "what cairn run --json or cairn collective --json printed")
      ->type_name("");
  verb->add_option("B", request.b, "another of the same verb; with --detail, more is compared")
      ->type_name("");
  add_whole_json(*verb, request.json, request.detail);
  add_report(*verb, request.report);
  return verb;
}

CLI::App* add_list(CLI::App& app, ListRequest& request) {
  CLI::App* verb = app.add_subcommand("list", "what cairn knows");
  verb->footer(kListExample);
  verb->add_option("KIND",
                   request.kind,
                   "designs, studies, searches, models, networks, layers, operators,\n"
                   "strategies, devices, chips, technologies, endpoints, platforms,\n"
                   "topologies, collectives or algorithms")
      ->type_name("");
  verb->add_option("NAME", request.name, "only this one, with its parameters")->type_name("");
  verb->add_flag("--verbose", request.verbose, "with the parameters of each");
  add_json(*verb, request.json);
  return verb;
}

}  // namespace cairn::app
