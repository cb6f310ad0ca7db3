#include "cairn/design_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/config_set.hpp"
#include "cairn/model/hugging_face.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn {

namespace {

Config* find(Config& map, std::string_view key) {
  return const_cast<Config*>(map.find(key));  // NOLINT(*-const-cast): of a value that is not const
}

// Expands a named model, platform or endpoint to its map, keeping its name.
Config written_out(const Config& named, std::string_view kind, const DataFolders& folders) {
  const std::string& text = scalar_text(named, "a name or a map");
  Config config;
  std::string name;
  if (kind == "platform") {
    platform::PlatformSource source =
        platform::platform_source(text, folders.platform_presets(), named.where);
    config = std::move(source.config);
    name = std::move(source.name);
  } else if (kind == "endpoint") {
    return load_named(text, folders.endpoints, "an endpoint", named.where).config;
  } else {
    NamedFile file = model::load_model(text, folders.models, named.where);
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

// A config.json that is written inline.
void write_model_in_our_keys(Config& design) {
  if (Config* model = find(design, "model")) {
    *model = model::in_our_keys(std::move(*model));
  }
}

// Adds the values below `path`.
void add_values(const Config& config, const std::string& path, std::vector<DesignValue>& values) {
  constexpr std::array<std::string_view, 4> kWords{"name", "description", "source", "calibration"};
  switch (config.kind) {
    case Config::Kind::kMap:
      for (std::size_t i = 0; i < config.keys.size(); ++i) {
        if (std::ranges::find(kWords, config.keys[i]) == kWords.end()) {
          add_values(config.items[i], joined_key(path, config.keys[i]), values);
        }
      }
      return;
    case Config::Kind::kList:
      for (std::size_t i = 0; i < config.items.size(); ++i) {
        add_values(config.items[i], fmt::format("{}[{}]", path, i), values);
      }
      return;
    case Config::Kind::kScalar:
      values.push_back({path, config.text});
      return;
    case Config::Kind::kNull:
      return;
  }
}

}  // namespace

void set_value_of_design(Config& design,
                         const std::string& assignment,
                         const DataFolders& folders,
                         const std::string& called) {
  constexpr std::string_view kOfDevice = "device.";
  Config* device = find(design, "device");
  if (assignment.starts_with(kOfDevice) && device != nullptr) {
    chip::set_value_of_device(*device,
                              assignment.substr(kOfDevice.size()),
                              folders.devices,
                              joined_key(called, "device"));
    return;
  }
  write_model_in_our_keys(design);
  for (const std::string_view kind : {"model", "platform", "endpoint"}) {
    Config* named = find(design, kind);
    if (assignment.starts_with(std::string(kind) + ".") && named != nullptr &&
        named->kind == Config::Kind::kScalar) {
      *named = written_out(*named, kind, folders);
    }
  }
  set_value_within(design, called, assignment);
}

Config written_out_design(Config design, const DataFolders& folders) {
  write_model_in_our_keys(design);
  if (Config* device = find(design, "device")) {
    *device = chip::all_written_out(*device, folders.devices);
  }
  for (const std::string_view kind : {"model", "platform", "endpoint"}) {
    Config* named = find(design, kind);
    if (named != nullptr && named->kind == Config::Kind::kScalar) {
      *named = written_out(*named, kind, folders);
    }
  }
  return design;
}

std::vector<DesignValue> values_of_design(const Config& written_out) {
  std::vector<DesignValue> values;
  add_values(written_out, "", values);
  return values;
}

}  // namespace cairn
