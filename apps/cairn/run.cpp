// cairn run: how long a training step takes on a design, and why.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/config_reader.hpp"
#include "cairn/design.hpp"
#include "cairn/evaluate.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/plot.hpp"
#include "cairn/report/step_charts.hpp"
#include "cairn/report/step_json.hpp"
#include "cairn/report/step_text.hpp"
#include "cairn/report/step_trace.hpp"

namespace cairn::app {

namespace {

Config* find(Config& map, std::string_view key) {
  return const_cast<Config*>(map.find(key));  // NOLINT(*-const-cast): of a value that is not const
}

// The map that a design's model, platform or endpoint stands for, called as it was.
Config written_out(const Config& named, std::string_view kind, const DataFolders& folders) {
  const std::string& text = scalar_text(named, "a text or a map");
  Config config;
  std::string name;
  if (kind == "platform") {
    platform::PlatformSource source = platform::platform_source(text, preset_path(), named.where);
    config = std::move(source.config);
    name = std::move(source.name);
  } else if (kind == "endpoint") {
    return load_named(text, folders.endpoints, "an endpoint", named.where).config;
  } else {
    NamedFile file = load_named(text, folders.models, "a model", named.where);
    config = std::move(file.config);
    name = std::move(file.name);
  }
  if (config.find("name") == nullptr) {
    Config value = named;
    value.text = std::move(name);
    value.where.key += ".name";
    config.keys.emplace_back("name");
    config.items.push_back(std::move(value));
  }
  return config;
}

// `platform.latency=1 us` changes a value of the platform that the design names.
void apply(const std::string& setting, Config& config, const DataFolders& folders) {
  constexpr std::string_view kOfDevice = "device.";
  Config* device = find(config, "device");
  if (setting.starts_with(kOfDevice) && device != nullptr) {
    chip::set_value_of_device(*device, setting.substr(kOfDevice.size()), folders.devices);
    return;
  }
  for (const std::string_view kind : {"model", "platform", "endpoint"}) {
    Config* named = find(config, kind);
    if (setting.starts_with(std::string(kind) + ".") && named != nullptr &&
        named->kind == Config::Kind::kScalar) {
      *named = written_out(*named, kind, folders);
    }
  }
  set_value(config, setting);
}

// A design, and where each of its keys was written.
struct Written {
  Design design{};
  Config config{};
};

Feasible<Written> design_of(const RunRequest& request) {
  const DataFolders folders = DataFolders::in(data_roots());
  NamedFile file = load_named(request.design, data_folders("designs"), "a design", at("DESIGN"));
  for (const std::string& setting : request.settings) {
    apply(setting, file.config, folders);
  }
  const bool fold = parse_name(request.fold, "--fold", "on or off", {"on", "off"}) == 0;
  auto design = read_design(file.config, folders);
  if (!design) {
    return design.reason();
  }
  Written written{std::move(design).value(), std::move(file.config)};
  written.design.machine.fold = fold;
  return written;
}

// With the place that asks for what cannot be had.
Infeasible located(Infeasible reason, const Config& config) {
  using Path = std::vector<std::string_view>;
  const std::map<std::string_view, Path> paths{
      {"device memory", {"memory"}},
      {"backing store", {"memory"}},
      {"precision", {"strategy", "precision"}},
      {"strategy", {"strategy"}},
      {"order", {"strategy", "order"}},
      {"cuts", {"strategy", "cuts"}},
      {"micro_batches", {"strategy", "micro_batches"}},
      {"placement", {"strategy", "placement"}},
      {"collective", {"collectives"}},
      {"fabric.engine.sram", {"endpoint", "engine", "sram"}},
      {"fabric.engine.fsms", {"endpoint", "engine", "fsms"}},
      {"fabric.engine.chunk", {"endpoint", "engine", "chunk"}}};
  const Config* place = &config;
  const auto path = paths.find(reason.limit);
  for (const std::string_view key : path == paths.end() ? Path{} : path->second) {
    const Config* found = place->kind == Config::Kind::kMap ? place->find(key) : nullptr;
    place = found == nullptr ? place : found;
  }
  reason.detail += fmt::format(" ({})", to_text(place->where));
  return reason;
}

void draw(const explain::StepResult& result, const std::string& folder) {
  std::string note;
  for (const report::Chart& chart :
       {report::breakdown_chart(result), report::memory_chart(result)}) {
    const report::Plotted plotted = report::plot(chart, folder, at("--plot"));
    note += plotted.note.empty() ? "" : "cairn: --plot: " + plotted.note + "\n";
  }
  std::fputs(note.c_str(), stderr);
}

}  // namespace

Feasible<std::string> run(const RunRequest& request) {
  if (request.detail && !request.json) {
    throw ConfigError(at("--detail"), "needs --json");
  }
  const Feasible<Written> written = design_of(request);
  if (!written) {
    return written.reason();
  }
  const auto& [design, config] = *written;
  const Feasible<explain::StepResult> result = [&, &design = design] {
    const Progress progress(1);
    return evaluate(design, {.record = request.detail || request.trace});
  }();
  if (!result) {
    return located(result.reason(), config);
  }
  if (request.trace) {
    report::write_atomically(*request.trace, at("--trace"), [&](std::ostream& out) {
      report::write_step_trace(*result, out);
    });
  }
  if (request.plot) {
    draw(*result, *request.plot);
  }
  return request.json ? report::step_json(*result, request.detail) : report::step_text(*result);
}

}  // namespace cairn::app
