// Bundled templates.
#pragma once

#include <filesystem>
#include <string>

#include "cairn/chip/template.hpp"

namespace cairn::chip {

inline TemplateFolders data_folders() {
  const std::filesystem::path data(CAIRN_DATA_FOLDER);
  return {.chips = {data / "chips"}, .technologies = {data / "tech"}};
}

// With changes as --set takes them.
inline Template known_chip(const std::string& name, const std::vector<std::string>& changes = {}) {
  Config config = load_named(name, data_folders().chips, "a chip", {}).config;
  for (const std::string& change : changes) {
    set_value_of_template(config, change, data_folders());
  }
  return read_template(config, data_folders());
}

}  // namespace cairn::chip
