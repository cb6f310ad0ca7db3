// Files by name or path: `vgg-e` is vgg-e.yaml in one of the folders, `my/model.yaml` is a path.
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

// Contains a slash, or is a name that ends in .yaml, .yml or .json.
bool looks_like_path(const std::string& text);

// A path in a file is relative to that file's folder, one in a flag to the working directory.
std::filesystem::path beside(const Where& where, const std::string& path);

// All NAME.yaml of the folders, by name. Missing folders are skipped.
std::map<std::string, std::filesystem::path> files_by_name(const Folders& folders);

// The end of an error about an unknown name: the nearest known one or, where the folders have no
// files, where the data was looked for.
std::string suggested_file(const std::string& name, const Folders& folders);

// "no files in "/opt/cairn/devices"; set CAIRN_DATA to the data folder"
std::string no_files_text(const Folders& folders);

// Throws ConfigError: at `where` for an unknown name (with the nearest known one), in the file if
// it is not a map. `what` is the expected kind: "a model".
NamedFile load_named(const std::string& text,
                     const Folders& folders,
                     const std::string& what,
                     const Where& where);

// The same, with errors about values of a bundled file at `where`: the file is right by itself, so
// what does not fit is the choice of it.
NamedFile load_choice(const std::string& text,
                      const Folders& folders,
                      const std::string& what,
                      const Where& where);

struct NamedEntry {
  std::string name{};
  std::string description{};  // the file's `description` key
  std::filesystem::path file{};
};

// All files of the folders with their descriptions, by name.
std::vector<NamedEntry> list_named(const Folders& folders);

}  // namespace cairn
