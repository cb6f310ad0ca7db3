#include "apps/cairn/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "apps/cairn/examples.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/design.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

constexpr const char* kPlatformWritten = "ring:8@25GB/s,500ns";

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

void add_fold(CLI::App& verb, std::string& fold) {
  verb.add_option("--fold", fold, "off simulates every device instead of one per class")
      ->type_name("on|off")
      ->capture_default_str();
}

void add_trace(CLI::App& verb, std::optional<std::string>& trace) {
  verb.add_option("--trace", trace, "write the timeline in Chrome trace format (for Perfetto)")
      ->type_name("FILE");
}

CLI::App* add_run(CLI::App& app, RunRequest& request) {
  CLI::App* verb = app.add_subcommand("run", "how long a training step takes, and why");
  verb->footer(design_reference() + "\n" + kRunExample);
  verb->add_option("DESIGN", request.design, "a YAML file, or a name (cairn list designs)")
      ->type_name("");
  add_settings(*verb,
               request.settings,
               "change a value of the design, e.g. strategy.batch=256,\n"
               "or of what it names, e.g. device.memory.capacity=\"80 GiB\"");
  add_fold(*verb, request.fold);
  add_json(*verb, request.json);
  verb->add_flag("--detail", request.detail, "with --json: memory over time, timeline, operators");
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
  add_json(*verb, request.json);
  verb->add_option("--plot",
                   request.plot,
                   "write claims and figures into this folder: CSV, pictures,\n"
                   "and scripts for gnuplot")
      ->type_name("DIR");
  return verb;
}

CLI::App* add_search(CLI::App& app, SearchRequest& request) {
  CLI::App* verb = app.add_subcommand("search", "the best of many designs");
  verb->footer(explore::request_reference() + "\n" + kSearchExample);
  verb->add_option("SEARCH", request.search, "a YAML file, or a name (cairn list searches)")
      ->type_name("");
  add_settings(*verb, request.settings, "change a value of the search, e.g. algorithm.seed=7");
  verb->add_option("--threads",
                   request.threads,
                   "that evaluate designs (0: one per core; the default, but one per rank\n"
                   "under mpirun)")
      ->type_name("N");
  add_json(*verb, request.json);
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
  add("--algorithm", request.algorithm, "A", "auto tries all (cairn list algorithms)")
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
  add("--chunks",
      request.chunks,
      "N",
      "cut the payload into N (default: what suits the algorithm)");
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
  verb->footer(chip::template_reference() + "\n" + kChipExample);
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
  verb->footer(chip::device_reference() + "\n" + kKernelExample);
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
                   "instead, for collectives, or as well, for steps on several devices: " +
                       std::string(kPlatformHelp))
      ->type_name("P");
  add_settings(*verb,
               request.settings,
               "change a value of the device or platform, e.g. memory.bandwidth=\"2 TB/s\"");
  add_json(*verb, request.json);
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

[[noreturn]] void fail_usage(const CLI::App& verb, const std::string& problem) {
  const CLI::App* parent = verb.get_parent();
  const std::string name = parent == nullptr ? "cairn" : "cairn " + verb.get_name();
  throw ConfigError({}, fmt::format("{}; see {} --help", problem, name));
}

std::string in_quotes_joined(const std::vector<std::string>& values) {
  std::string joined;
  for (const std::string& value : values) {
    joined += (joined.empty() ? "" : " and ") + in_quotes(value);
  }
  return joined;
}

// Complains about flags whose values are too few or too many, in our words instead of the
// library's.
void refuse_values(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    const std::vector<std::string>& values = option->results();
    if (option->get_expected_max() == 0) {
      for (const std::string& value : values) {
        if (value != "true") {
          fail_usage(verb, fmt::format("{}: found {} (expected no value)", name, in_quotes(value)));
        }
      }
      continue;
    }
    for (const std::string& value : values) {
      if (value.starts_with("--")) {
        fail_usage(verb,
                   fmt::format("{}: found the flag {} (expected {} before it)",
                               name,
                               in_quotes(value),
                               option->get_type_name()));
      }
    }
    if (values.size() > 1 && option->get_expected_max() == 1) {
      fail_usage(verb, fmt::format("{}: found {} (expected one)", name, in_quotes_joined(values)));
    }
  }
}

// The library found fault with the arguments: too many values of a flag, or none after the last.
[[noreturn]] void refuse_mismatch(const CLI::App& verb, std::string last, const char* fault) {
  refuse_values(verb);
  last = last.substr(0, last.find('='));
  const CLI::Option* option = verb.get_option_no_throw(last);
  if (option == nullptr) {
    fail_usage(verb, fault);
  }
  fail_usage(
      verb,
      fmt::format("{}: found no value (expected {} {})", last, last, option->get_type_name()));
}

// Complains about the first argument that nothing took.
void refuse_extras(const CLI::App& verb, const CLI::App* parent) {
  const auto extras = verb.remaining();
  if (extras.empty()) {
    return;
  }
  const std::string& extra = extras.front();
  std::vector<std::string> known;
  if (extra.starts_with("-")) {
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    const std::string flag = extra.substr(0, extra.find('='));
    fail_usage(verb,
               fmt::format("{} is not a flag ({})", in_quotes(flag), suggestion(flag, known)));
  }
  if (parent != nullptr) {
    fail_usage(verb, in_quotes(extra) + " was not expected");
  }
  for (const CLI::App* other : verb.get_subcommands({})) {
    known.push_back(other->get_name());
  }
  fail_usage(verb,
             fmt::format("{} is not a verb ({})", in_quotes(extra), suggestion(extra, known)));
}

// Parses the arguments; gives the text of help or version, if that is what was asked for.
std::optional<TextRequest> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    refuse_extras(app, nullptr);
    return TextRequest{app.help()};
  } catch (const CLI::CallForVersion& version) {
    refuse_extras(app, nullptr);
    return TextRequest{std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    refuse_mismatch(verbs.empty() ? app : *verbs.front(), argv[argc - 1], error.what());
  }
  refuse_extras(app, nullptr);
  if (app.get_subcommands().empty()) {
    fail_usage(
        app,
        "a verb is missing (expected run, study, search, sensitivity, collective, platform, chip, "
        "kernel, validate, calibrate or list)");
  }
  return std::nullopt;
}

}  // namespace

Request parse_command_line(int argc, const char* const* argv) {
  RunRequest run_request;
  StudyRequest study_request;
  SearchRequest search_request;
  SensitivityRequest sensitivity_request;
  CollectiveRequest collective_request;
  PlatformRequest platform_request;
  ChipRequest chip_request;
  KernelRequest kernel_request;
  ValidateRequest validate_request;
  CalibrateRequest calibrate_request;
  ListRequest list_request;
  CLI::App app(kAbout, "cairn");
  app.footer(kExample);
  app.set_version_flag("--version", fmt::format("cairn {} (commit {})", kVersion, kCommit));
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  const CLI::App* run = add_run(app, run_request);
  const CLI::App* study = add_study(app, study_request);
  const CLI::App* search = add_search(app, search_request);
  const CLI::App* sensitivity = add_sensitivity(app, sensitivity_request);
  const CLI::App* collective = add_collective(app, collective_request);
  const CLI::App* platform = add_platform(app, platform_request);
  const CLI::App* chip = add_chip(app, chip_request);
  const CLI::App* kernel = add_kernel(app, kernel_request);
  const CLI::App* validate = add_validate(app, validate_request);
  const CLI::App* calibrate = add_calibrate(app, calibrate_request);
  const CLI::App* list = add_list(app, list_request);
  app.require_subcommand(0, 1);
  app.allow_extras();  // so that refuse_extras can say what was meant
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->group("Verbs")->allow_extras();
  }
  if (auto text = parse(app, argc, argv)) {
    return *std::move(text);
  }
  const CLI::App* chosen = app.get_subcommands().front();
  refuse_extras(*chosen, &app);
  refuse_values(*chosen);
  const auto require = [&](const std::string& value, const char* flag, const char* example) {
    if (value.empty()) {
      fail_usage(*chosen, fmt::format("{}: is missing (expected e.g. {})", flag, example));
    }
  };
  if (chosen == run) {
    require(run_request.design, "DESIGN", "vgg-e-on-mc-dla or my/design.yaml");
    return run_request;
  }
  if (chosen == study) {
    require(study_request.study, "STUDY", "mc-dla or my/study.yaml");
    return study_request;
  }
  if (chosen == search) {
    if (search_request.from) {
      const bool more = !search_request.search.empty() || !search_request.settings.empty() ||
                        search_request.threads || search_request.store || search_request.resume;
      if (more) {
        fail_usage(*chosen,
                   "--from: shows a store as it is (expected only --json, --csv, --plot, --out)");
      }
      return search_request;
    }
    require(search_request.search, "SEARCH", "language-model-strategies or my/search.yaml");
    if (search_request.resume && !search_request.store) {
      fail_usage(*chosen, "--resume: needs a store (expected e.g. --store trials.db)");
    }
    return search_request;
  }
  if (chosen == sensitivity) {
    require(sensitivity_request.design, "DESIGN", "vgg-e-on-mc-dla or my/design.yaml");
    return sensitivity_request;
  }
  if (chosen == collective) {
    require(collective_request.platform, "--platform", kPlatformWritten);
    return collective_request;
  }
  if (chosen == platform) {
    require(platform_request.platform, "platform", kPlatformWritten);
    return platform_request;
  }
  if (chosen == chip) {
    require(chip_request.chip, "TEMPLATE", "v100 or my/chip.yaml");
    return chip_request;
  }
  if (chosen == kernel) {
    require(kernel_request.op, "OP", "gemm or convolution");
    require(kernel_request.device, "--device", "h200 or my/device.yaml");
    return kernel_request;
  }
  if (chosen == validate) {
    require(validate_request.file, "FILE", "gemm.csv");
    return validate_request;
  }
  if (chosen == calibrate) {
    require(calibrate_request.files.empty() ? "" : "some", "FILES", "gemm.csv memory_bound.csv");
    require(calibrate_request.device, "--device", "h200 or my/device.yaml");
    require(calibrate_request.out, "--out", "my-gpu.yaml");
    return calibrate_request;
  }
  ensure(chosen == list, "a verb that nothing reads");
  return list_request;
}

}  // namespace cairn::app
