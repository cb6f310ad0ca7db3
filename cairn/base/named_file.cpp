#include "cairn/base/named_file.hpp"

#include <string_view>
#include <system_error>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/nearest.hpp"

namespace cairn {

bool looks_like_path(const std::string& text) {
  const auto has_extension = [&](std::string_view extension) {
    return text.size() > extension.size() && text.ends_with(extension);
  };
  return text.find('/') != std::string::npos || has_extension(".yaml") || has_extension(".yml") ||
         has_extension(".json");
}

std::filesystem::path beside(const Where& where, const std::string& path) {
  return std::filesystem::path(where.file).parent_path() / path;
}

std::map<std::string, std::filesystem::path> files_by_name(const Folders& folders) {
  std::map<std::string, std::filesystem::path> files;
  for (const auto& folder : folders) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".yaml") {
        files.emplace(entry.path().stem().string(), entry.path());
      }
    }
  }
  return files;
}

std::string no_files_text(const Folders& folders) {
  std::string places;
  for (const auto& folder : folders) {
    places += (places.empty() ? "\"" : " or \"") + folder.string() + "\"";
  }
  return "no files in " + places + "; set CAIRN_DATA to the data folder";
}

std::string suggested_file(const std::string& name, const Folders& folders) {
  std::vector<std::string> known;
  for (const auto& [file, path] : files_by_name(folders)) {
    known.push_back(file);
  }
  return known.empty() && !folders.empty() ? no_files_text(folders) : suggestion(name, known);
}

NamedFile load_named(const std::string& text,
                     const Folders& folders,
                     const std::string& what,
                     const Where& where) {
  std::filesystem::path file = beside(where, text);
  if (!looks_like_path(text)) {
    const auto files = files_by_name(folders);
    const auto found = files.find(text);
    if (found == files.end()) {
      throw ConfigError(
          where, in_quotes(text) + " is not " + what + " (" + suggested_file(text, folders) + ")");
    }
    file = found->second;
  }
  NamedFile result{.config = load_config(file), .name = file.stem().string()};
  if (result.config.kind != Config::Kind::kMap) {
    reject(result.config, "is not " + what + " (expected a map)");
  }
  return result;
}

NamedFile load_choice(const std::string& text,
                      const Folders& folders,
                      const std::string& what,
                      const Where& where) {
  NamedFile result = load_named(text, folders, what, where);
  for (Config& value : result.config.items) {
    value.where = looks_like_path(text) ? value.where : where;
  }
  return result;
}

std::vector<NamedEntry> list_named(const Folders& folders) {
  std::vector<NamedEntry> list;
  for (const auto& [name, file] : files_by_name(folders)) {
    const Config config = load_config(file);
    const Config* description =
        config.kind == Config::Kind::kMap ? config.find("description") : nullptr;
    list.push_back(
        {name, description == nullptr ? "" : scalar_text(*description, "a string"), file});
  }
  return list;
}

}  // namespace cairn
