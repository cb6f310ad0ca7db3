#include "cairn/chip/read_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "cairn/base/config_set.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/chip/generated_device.hpp"

namespace cairn::chip {

namespace {

constexpr std::string_view kChip = "chip:";
constexpr std::string_view kTemplate = "template";

// A device given by a template, before the template is read.
struct WrittenChip {
  std::string name{};
  std::string description{};
  std::string source{};
  Config chip{};
  Tiles tiles{};
  Seconds launch{0.0};
};

const Schema<WrittenChip>& schema_of(const WrittenChip*) {
  static const auto kSchema =
      Schema<WrittenChip>("device", "a generated chip")
          .optional("name", &WrittenChip::name, "name in results")
          .optional("description", &WrittenChip::description, "one line")
          .optional("source", &WrittenChip::source, "source of the figures")
          .required(std::string(kTemplate), &WrittenChip::chip, "template of the chip", "v100")
          .optional("tiles", &WrittenChip::tiles, "how the kernel library tiles outputs")
          .optional("launch", &WrittenChip::launch, "kernel launch overhead")
          .not_negative();
  return kSchema;
}

Config scalar(const std::string& text, const Where& where) {
  return {.kind = Config::Kind::kScalar, .where = where, .text = text, .keys = {}, .items = {}};
}

// A map with one key.
Config map_of(std::string_view key, Config value) {
  Config map{.kind = Config::Kind::kMap,
             .where = value.where,
             .text = {},
             .keys = {std::string(key)},
             .items = {}};
  map.items.push_back(std::move(value));
  return map;
}

void set_name_if_missing(Config& config, const std::string& name) {
  if (config.find("name") == nullptr) {
    Where where = config.where;
    where.key += where.key.empty() ? "name" : ".name";
    config.keys.emplace_back("name");
    config.items.push_back(scalar(name, where));
  }
}

// The map of a device's name or file, with that name unless it has its own.
Config written_out(const std::string& text, const DeviceFolders& folders, const Where& where) {
  if (text.starts_with(kChip)) {
    Config map = map_of(kTemplate, scalar(text.substr(kChip.size()), where));
    set_name_if_missing(map, text);
    return map;
  }
  NamedFile file = load_named(text, folders.devices, "a device", where);
  set_name_if_missing(file.config, file.name);
  return std::move(file.config);
}

// Records `key` in calibration.changed of a calibrated device.
void note_change(Config& config, const std::string& key) {
  constexpr std::array<std::string_view, 3> kTextKeys{"name", "description", "source"};
  constexpr std::string_view kCalibration = "calibration";
  constexpr std::string_view kChanged = "changed";
  const auto at = std::ranges::find(config.keys, kCalibration);
  if (at == config.keys.end() || std::ranges::find(kTextKeys, key) != kTextKeys.end()) {
    return;
  }
  Config& calibration = config.items[static_cast<std::size_t>(at - config.keys.begin())];
  if (calibration.kind != Config::Kind::kMap) {
    return;  // rejected when it is read
  }
  auto known = std::ranges::find(calibration.keys, kChanged);
  if (known == calibration.keys.end()) {
    Where where = calibration.where;
    where.key += "." + std::string(kChanged);
    calibration.keys.emplace_back(kChanged);
    calibration.items.push_back(
        {.kind = Config::Kind::kList, .where = where, .text = {}, .keys = {}, .items = {}});
    known = std::prev(calibration.keys.end());
  }
  Config& keys = calibration.items[static_cast<std::size_t>(known - calibration.keys.begin())];
  keys.items.push_back(scalar(key, keys.where));
}

Config template_written_out(Config named, const DeviceFolders& folders) {
  if (named.kind == Config::Kind::kMap) {
    return named;
  }
  NamedFile file = load_named(scalar_text(named, "a chip (a name or a map)"),
                              folders.templates.chips,
                              "a chip",
                              named.where);
  set_name_if_missing(file.config, file.name);
  return std::move(file.config);
}

Feasible<Device> generated(const Config& config, const DeviceFolders& folders) {
  const auto written = read_config<WrittenChip>(config);
  const Config chip = template_written_out(written.chip, folders);
  const Template design = read_template(chip, folders.templates);
  const Feasible<Generated> made = generate(design);
  if (!made) {
    return made.reason();
  }
  Device device = device_of(*made, design);
  if (!written.name.empty()) {
    device.name = written.name;
  }
  device.description = written.description;
  device.source = written.source;
  device.tiles = written.tiles;
  device.launch = written.launch;
  return device;
}

}  // namespace

DeviceFolders DeviceFolders::in(const Folders& roots) {
  DeviceFolders folders;
  for (const auto& root : roots) {
    folders.devices.push_back(root / "devices");
    folders.templates.chips.push_back(root / "chips");
    folders.templates.technologies.push_back(root / "tech");
  }
  return folders;
}

Feasible<Device> read_device(const Config& config, const DeviceFolders& folders) {
  if (config.kind != Config::Kind::kMap) {
    return read_device(scalar_text(config, "a device (a name or a map)"), folders, config.where);
  }
  if (config.find(kTemplate) != nullptr) {
    return generated(config, folders);
  }
  Device device = device_of(config);
  if (device.name.empty()) {
    device.name = "device";
  }
  return device;
}

Feasible<Device> read_device(const std::string& text,
                             const DeviceFolders& folders,
                             const Where& where) {
  return read_device(written_out(text, folders, where), folders);
}

Config written_out(Config config, const DeviceFolders& folders) {
  return config.kind == Config::Kind::kScalar ? written_out(config.text, folders, config.where)
                                              : std::move(config);
}

Config all_written_out(const Config& config, const DeviceFolders& folders) {
  Config device = written_out(config, folders);
  for (std::size_t i = 0; i < device.keys.size(); ++i) {
    if (device.keys[i] == kTemplate) {
      device.items[i] = with_technologies(template_written_out(std::move(device.items[i]), folders),
                                          folders.templates);
    }
  }
  return device;
}

void set_value_of_device(Config& config,
                         const std::string& assignment,
                         const DeviceFolders& folders,
                         const std::string& called) {
  config = written_out(std::move(config), folders);
  const std::string inside = std::string(kTemplate) + ".";
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (config.keys[i] == kTemplate && assignment.starts_with(inside)) {
      Config& chip = config.items[i];
      chip = template_written_out(std::move(chip), folders);
      set_value_of_template(
          chip, assignment.substr(inside.size()), folders.templates, joined_key(called, kTemplate));
      return;
    }
  }
  set_value_within(config, called, assignment);
  note_change(config, assignment.substr(0, assignment.find('=')));
}

}  // namespace cairn::chip
