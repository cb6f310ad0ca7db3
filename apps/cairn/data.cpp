#include "apps/cairn/data.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

// The map behind a platform's text; nothing when the text names none.
std::optional<Config> platform_config(const std::string& text,
                                      const platform::SearchPath& presets,
                                      const Where& where) {
  if (platform::find_topology(text.substr(0, text.find_first_of(":@"))) != nullptr &&
      text.find_first_of(":@") != std::string::npos) {
    return platform::parse_inline(text, where);
  }
  if (text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml")) {
    return load_config(text);
  }
  for (const auto& folder : presets) {
    std::error_code ignored;
    if (const fs::path file = folder / (text + ".yaml"); fs::exists(file, ignored)) {
      return load_config(file);
    }
  }
  return std::nullopt;
}

}  // namespace

platform::SearchPath preset_path() {
  platform::SearchPath path;
  // No other thread runs yet, and nothing sets it.
  const char* const data = std::getenv("CAIRN_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data != nullptr) {
    std::error_code ignored;
    if (!fs::is_directory(data, ignored)) {
      throw ConfigError({.file = "", .line = 0, .key = "CAIRN_DATA"},
                        in_quotes(data) + " is not a folder");
    }
    path.push_back(fs::path(data) / "platforms");
  }
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) {
    path.push_back(program.parent_path() / CAIRN_DATA_FROM_PROGRAM / "platforms");
  }
  return path;
}

platform::Platform read_platform(const std::string& text,
                                 const std::vector<std::string>& settings,
                                 const std::string& flag) {
  const Where where{.file = "", .line = 0, .key = flag};
  const platform::SearchPath presets = preset_path();
  std::optional<Config> config;
  if (!settings.empty()) {
    config = platform_config(text, presets, where);
  }
  if (!config) {
    return platform::read_platform(text, presets, where);
  }
  if (config->kind != Config::Kind::kMap) {
    reject(*config, "is not a platform (expected a map with the key \"topology\")");
  }
  for (const std::string& setting : settings) {
    set_value(*config, setting);
  }
  platform::Platform platform = platform::read_platform(*config, presets);
  if (config->find("name") == nullptr) {
    platform.name = text;
  }
  for (const std::string& setting : settings) {
    platform.name += ", " + setting;
  }
  return platform;
}

}  // namespace cairn::app
