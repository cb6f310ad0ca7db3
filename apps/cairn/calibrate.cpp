// cairn calibrate: fits a device file to measurements.
#include "cairn/validate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/progress.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/validate/assumed.hpp"
#include "cairn/validate/calibrate_document.hpp"

namespace cairn::app {

namespace {

// Typical number of predictions of a calibration.
constexpr std::size_t kPredictions = 4000;

// The device is named after its file.
Config named(Config config, const std::string& name) {
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (config.keys[i] == "name") {
      config.items[i].text = name;
    }
  }
  return config;
}

}  // namespace

std::vector<Option> options_of(CalibrateRequest& request) {
  std::vector<Option> options{
      {.name = "FILES",
       .doc = "measurements as tools/measure_gpu writes them (CSV)",
       .value = &request.files,
       .example = "gemm.csv memory_bound.csv"},
      {.name = "--device",
       .type = "D",
       .doc = "initial device: a name, or a YAML file",
       .value = &request.device,
       .example = "h200 or my/device.yaml"},
      settings_option(request.settings,
                      "change a value of the device, e.g. memory.bandwidth=\"2 TB/s\""),
      {.name = "--out",
       .type = "FILE",
       .doc = "output file of the calibrated device",
       .value = &request.out,
       .example = "my-gpu.yaml",
       .is_output = true}};
  add_output(options, request.output);
  return options;
}

Answer calibrate(const CalibrateRequest& request) {
  std::vector<validate::MeasuredTable> read;
  read.reserve(request.files.size());
  std::vector<const validate::MeasuredTable*> tables;
  std::string on;
  for (const std::string& file : request.files) {
    tables.push_back(&read.emplace_back(validate::MeasuredTable::read(file)));
    if (validate::kind_of(*tables.back()).subject != validate::SubjectKind::kDevice) {
      throw ConfigError({.file = file, .line = 0, .key = {}},
                        "is measured on a platform (expected a table of a device, e.g. gemm.csv)");
    }
    const auto same = std::ranges::find_if(tables, [&](const validate::MeasuredTable* table) {
      return &validate::kind_of(*table) == &validate::kind_of(*tables.back());
    });
    if (*same != tables.back()) {
      throw ConfigError(
          {.file = file, .line = 0, .key = {}},
          fmt::format("contains {} measurements, and so does {} (expected one file per kind: "
                      "repeated rows would count twice)",
                      validate::kind_of(*tables.back()).name,
                      (*same)->file()));
    }
    if (validate::kind_of(*tables.back()).fitted) {
      on += (on.empty() ? "" : ", ") + file;
    }
  }
  Config config = written_device(request.device, request.settings);
  if (config.find("template") != nullptr) {
    reject(config, "is generated from a template (expected a device with explicit values)");
  }
  config = named(std::move(config), std::filesystem::path(request.out).stem().string());
  auto device = read_device(request.device, request.settings);
  if (!device) {
    return device.reason();
  }
  const validate::Assumed assumed = validate::with_assumptions(config, *device, tables);
  chip::Device start = chip::device_of(assumed.config);
  start.name = device->name;
  Progress progress(kPredictions, "predictions");
  const validate::Calibrated calibrated =
      validate::calibrate(tables, start, on, [&] { progress.on_done(); });
  report::write_atomically(request.out, at("--out"), [&](std::ostream& out) {
    out << validate::calibrated_file(calibrated, assumed.config);
  });
  report::Document document = validate::document_of(calibrated);
  document.add(report::Field{.label = "written to", .text = request.out});
  return document;
}

}  // namespace cairn::app
