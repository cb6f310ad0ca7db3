// cairn collective: predicts the time of a collective on a platform, and explains it.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/located.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/config_set.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/chrome_trace.hpp"
#include "cairn/report/collective_document.hpp"
#include "cairn/sim/phase_runner.hpp"

namespace cairn::app {

namespace {

constexpr const char* kDevice = "ace-npu";

comm::Op read_op(const std::string& text) {
  std::vector<std::string> names;
  for (const comm::OpInfo& known : comm::ops()) {
    names.emplace_back(known.name);
  }
  return comm::ops()[parse_name(text, "--op", "a collective", names)].op;
}

CollectiveOptions read_options(const CollectiveRequest& request) {
  comm::parse_algorithm(request.algorithm, at("--algorithm"));
  CollectiveOptions options;
  options.algorithm = request.algorithm;
  if (request.chunks && request.chunk_size) {
    throw ConfigError(at("--chunk-size"), "cannot be combined with --chunks");
  }
  if (request.chunks) {
    options.chunks = parse_count(*request.chunks, "--chunks", 1, kMaxChunks);
  }
  if (request.window) {
    options.window = parse_count(*request.window, "--window", 1, sim::Tag::kMaxSlots);
  }
  options.fold = parse_name(request.fold, "--fold", "on or off", {"on", "off"}) == 0;
  options.steps = request.steps;
  options.unroll = request.unroll;
  options.record_spans = request.trace.has_value();
  options.locate_links = request.output.needs_detail();
  return options;
}

// Removes settings that begin with `prefix` and returns them without it.
std::vector<std::string> take_settings(std::vector<std::string>& settings,
                                       const std::string& prefix) {
  std::vector<std::string> taken;
  std::erase_if(settings, [&](const std::string& setting) {
    if (!setting.starts_with(prefix)) {
      return false;
    }
    taken.push_back(setting.substr(prefix.size()));
    return true;
  });
  return taken;
}

// The parts of a design that define who executes collectives: endpoint and device, with the keys of
// a design, so that errors name the full key.
Config written_endpoint(const CollectiveRequest& request,
                        const std::vector<std::string>& of_endpoint,
                        const std::vector<std::string>& of_device) {
  NamedFile file =
      load_choice(request.endpoint, data_folders("endpoints"), "an endpoint", at("--endpoint"));
  for (const std::string& setting : of_endpoint) {
    set_value_within(file.config, "endpoint", setting);
  }
  Config design{.kind = Config::Kind::kMap,
                .where = {},
                .text = {},
                .keys = {"endpoint", "device"},
                .items = {}};
  design.items.push_back(std::move(file.config));
  design.items.push_back(written_device(request.device.value_or(kDevice), of_device, "device"));
  return design;
}

// The ideal endpoint uses no resource of the device.
void refuse_device(const CollectiveRequest& request, const std::vector<std::string>& of_device) {
  constexpr const char* kProblem =
      "has no effect (used only with an --endpoint other than ideal, e.g. --endpoint cores)";
  if (request.device) {
    throw ConfigError(at("--device"), kProblem);
  }
  if (!of_device.empty()) {
    const std::string& setting = of_device.front();
    throw ConfigError(
        {.file = "--set", .line = 0, .key = "device." + setting.substr(0, setting.find('='))},
        kProblem);
  }
}

// The request as a design: endpoint and device (unless ideal), platform, group, root and window.
// `settings`: of the platform.
Config request_as_design(Config design,
                         const CollectiveRequest& request,
                         const std::vector<std::string>& settings,
                         bool is_ideal) {
  if (is_ideal) {
    design = without(design, {"device"});
  }
  const auto add = [&](const char* key, const std::optional<std::string>& text) {
    if (text) {
      design.keys.emplace_back(key);
      design.items.push_back({.kind = Config::Kind::kScalar,
                              .where = at(std::string("--") + key),
                              .text = *text,
                              .keys = {},
                              .items = {}});
    }
  };
  add("platform", request.platform);
  add("group", request.group);
  add("root", request.root);
  add("window", request.window);
  for (const std::string& setting : settings) {
    set_value_of_design(design, "platform." + setting, DataFolders::in(data_roots()));
  }
  return design;
}

// Errors of the library name keys; here the keys are flags.
Feasible<explain::CollectiveResult> evaluate(const platform::Platform& platform,
                                             const comm::Collective& collective,
                                             const CollectiveOptions& options) {
  constexpr std::array kFlags{"group", "root", "size", "algorithm"};
  try {
    return evaluate_collective(platform, collective, options);
  } catch (const ConfigError& error) {
    const Where& where = error.where();
    for (const std::string flag : kFlags) {
      const std::string beginning = flag + ": ";
      const std::string what = error.what();
      if (where.file.empty() && where.key == flag && what.starts_with(beginning)) {
        throw ConfigError(at("--" + flag), what.substr(beginning.size()));
      }
    }
    throw;
  }
}

// Timeline for --report and --detail: simulated again, unless it is too large to show.
void record_spans(const platform::Platform& platform,
                  const comm::Collective& collective,
                  CollectiveOptions options,
                  explain::CollectiveResult& result) {
  constexpr std::uint64_t kMaxEvents = 100'000;
  if (!result.spans.empty() || result.events > kMaxEvents) {
    return;
  }
  options.algorithm = result.algorithm == "none" ? options.algorithm : result.algorithm;
  options.chunks = result.chunks;
  options.record_spans = true;
  if (const auto again = evaluate(platform, collective, options)) {
    result.spans = again->spans;
    result.recorded_links = again->recorded_links;
  }
}

}  // namespace

std::vector<Option> options_of(CollectiveRequest& request) {
  std::vector<Option> options{
      {.name = "--platform",
       .type = "P",
       .doc = kPlatformHelp,
       .value = &request.platform,
       .example = kPlatformWritten},
      {.name = "--op",
       .type = "OP",
       .doc = "the collective (cairn list collectives)",
       .value = &request.op,
       .shows_default = true},
      {"--size",
       "SIZE",
       "larger buffer of a device, as in nccl-tests: \"100 MB\" (default),\n"
       "a list \"1 MB,2 MB\", or a doubling range \"1 KiB..1 GiB\"",
       &request.sizes},
      {.name = "--algorithm",
       .type = "A",
       .doc = "auto: lowest estimated time; hierarchical:ring,direct: one per dimension",
       .value = &request.algorithm,
       .shows_default = true},
      {"--group",
       "DEVICES",
       "participating devices, in order: 0-7 or 0,2,4-6 (default all)",
       &request.group},
      {.name = "--endpoint",
       .type = "E",
       .doc = "executor of collectives (cairn list endpoints), or a YAML file",
       .value = &request.endpoint,
       .shows_default = true},
      {"--device", "D", "device of the endpoints, unless ideal (default ace-npu)", &request.device},
      {"--root",
       "N",
       "root rank in the group, for broadcast, reduce, ... (default 0)",
       &request.root},
      {"--chunks",
       "N",
       "split the payload into N chunks (default: lowest estimated time)",
       &request.chunks},
      {"--chunk-size",
       "SIZE",
       "split the payload into chunks of at most SIZE, instead of --chunks",
       &request.chunk_size},
      {"--window", "N", "chunks in flight at once (default 64)", &request.window},
      fold_option(request.fold),
      {"--steps", "", "simulate every step of a phase separately", &request.steps},
      unroll_option(request.unroll),
      settings_option(request.settings,
                      "change a value of the platform, e.g. bandwidth=\"50 GB/s\", of the\n"
                      "endpoint (endpoint.sms=6) or of the device "
                      "(device.fabric.bus=\"1 TB/s\")")};
  add_output(
      options, request.output, "with --json: timeline, and traffic and utilization of each link");
  options.push_back(trace_option(request.trace));
  return options;
}

Answer collective(const CollectiveRequest& request) {
  comm::Collective collective;
  collective.op = read_op(request.op);
  CollectiveOptions options = read_options(request);
  const auto texts = request.sizes.empty() ? std::vector<std::string>{"100 MB"} : request.sizes;
  const std::vector<Bytes> sizes = parse_sizes(texts, "--size");
  if (request.trace && sizes.size() > 1) {
    throw ConfigError(at("--trace"), std::to_string(sizes.size()) + " sizes (expected one --size)");
  }
  std::vector<std::string> settings = request.settings;
  const auto of_endpoint = take_settings(settings, "endpoint.");
  const auto of_device = take_settings(settings, "device.");
  const Config design = written_endpoint(request, of_endpoint, of_device);
  const auto device =
      chip::read_device(*design.find("device"), chip::DeviceFolders::in(data_roots()));
  if (!device) {
    return device.reason();
  }
  options.endpoint = comm::endpoint_of(*design.find("endpoint"), *device);
  const bool is_ideal = options.endpoint.executor == comm::Executor::kIdeal;
  if (is_ideal) {
    refuse_device(request, of_device);
  }
  const platform::Platform platform = read_platform(request.platform, settings, "--platform");
  if (request.group) {
    collective.group = parse_group(*request.group, "--group", platform.device_count());
  }
  if (request.root) {
    collective.root = parse_count(*request.root, "--root", 0, platform.device_count() - 1);
  }

  std::vector<explain::CollectiveResult> results;
  {
    Progress progress(sizes.size(), "sizes");
    for (const Bytes size : sizes) {
      collective.size = size;
      if (request.chunk_size) {
        options.chunks = parse_chunk_size(*request.chunk_size, "--chunk-size", size);
      }
      auto result = evaluate(platform, collective, options);
      if (!result) {
        const bool of_endpoint_or_device = lack_key(result.reason().lack).starts_with("endpoint.");
        return of_endpoint_or_device ? located(result.reason(), design) : result.reason();
      }
      results.push_back(std::move(result).value());
      progress.on_done();
    }
  }
  if (request.trace) {
    report::write_atomically(*request.trace, at("--trace"), [&](std::ostream& out) {
      report::write_chrome_trace(results.front(), out);
    });
  }
  const bool detail = request.output.needs_detail();
  const bool one = results.size() == 1;
  if (one && detail) {
    record_spans(platform, collective, options, results.front());
  }
  report::Document document =
      one ? report::document_of(results.front(), detail ? &platform : nullptr)
          : report::document_of(results);
  if (one) {
    document.add("design", values_of(request_as_design(design, request, settings, is_ideal)));
  }
  return document;
}

}  // namespace cairn::app
