// Files that users name: `vgg-e` stands for vgg-e.yaml in one of some folders, `my/model.yaml` for
// itself.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"

namespace cairn {

// The first folder that has NAME.yaml wins.
using Folders = std::vector<std::filesystem::path>;

struct NamedFile {
  Config config{};     // a map
  std::string name{};  // as the user would name it
};

// Has a slash, or ends in .yaml or .yml behind a name.
bool looks_like_path(const std::string& text);

// A path in a file is seen from that file's folder, one in a flag from the working directory.
std::filesystem::path beside(const Where& where, const std::string& path);

// All NAME.yaml of the folders, by name. A folder that is not there holds none.
std::map<std::string, std::filesystem::path> files_by_name(const Folders& folders);

// Throws ConfigError: at `where` for a name that no folder has (with the nearest that one has), in
// the file if it is not a map. `what` is what the file should be: "a model".
NamedFile load_named(const std::string& text,
                     const Folders& folders,
                     const std::string& what,
                     const Where& where);

struct NamedEntry {
  std::string name{};
  std::string description{};  // the file's key of that name
  std::filesystem::path file{};
};

// All files of the folders with their descriptions, by name.
std::vector<NamedEntry> list_named(const Folders& folders);

}  // namespace cairn
