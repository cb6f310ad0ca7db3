#include "apps/cairn/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "apps/cairn/examples.hpp"
#include "apps/cairn/flags.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

constexpr const char* kPlatformWritten = "ring:8@25GB/s,500ns";

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
        "kernel, validate, calibrate, compare or list)");
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
  CompareRequest compare_request;
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
  const CLI::App* compare = add_compare(app, compare_request);
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
                   "--from: shows a store as it is (expected only --json, --report, --csv, --plot, "
                   "--out)");
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
  if (chosen == compare) {
    require(compare_request.a, "A", "before.json");
    require(compare_request.b, "B", "after.json");
    return compare_request;
  }
  ensure(chosen == list, "a verb that nothing reads");
  return list_request;
}

}  // namespace cairn::app
