#include "apps/cairn/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/former_names.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

}  // namespace

Folders data_roots() {
  Folders roots;
  // No other thread runs yet, and nothing sets it.
  const char* const data = std::getenv("CAIRN_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data != nullptr) {
    std::error_code ignored;
    if (!fs::is_directory(data, ignored)) {
      throw ConfigError(at("CAIRN_DATA"), in_quotes(data) + " is not a folder");
    }
    roots.emplace_back(data);
  }
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) {
    roots.push_back((program.parent_path() / CAIRN_DATA_FROM_PROGRAM).lexically_normal());
  }
  return roots;
}

Folders data_folders(const char* kind) {
  Folders folders = data_roots();
  for (fs::path& folder : folders) {
    folder /= kind;
  }
  return folders;
}

platform::SearchPath preset_path() {
  platform::SearchPath path;
  for (const fs::path& folder : data_folders("platforms")) {
    path.push_back(folder);
  }
  return path;
}

platform::Platform read_platform(const std::string& text,
                                 const std::vector<std::string>& settings,
                                 const std::string& flag) {
  const Where where = at(flag);
  const platform::SearchPath presets = preset_path();
  if (settings.empty()) {
    return platform::read_platform(text, presets, where);
  }
  platform::PlatformSource source = platform::platform_source(text, presets, where);
  for (const std::string& setting : settings) {
    set_value(source.config, setting);
  }
  platform::Platform platform = platform::read_platform(source.config, source.presets);
  if (source.config.find("name") == nullptr) {
    platform.name = text;
  }
  for (const std::string& setting : settings) {
    platform.name += ", " + setting;
  }
  return platform;
}

std::string text_at(const Config& config, const char* key) {
  const Config* text = config.find(key);
  return text == nullptr ? "" : scalar_text(*text, "one line of text");
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    fmt::print(stderr, "cairn: note: {}\n", note);
  }
}

namespace {

// Kinds of input files: the keys that only they have, and the command that reads them.
struct FileKind {
  const char* what;
  const char* folder;
  std::initializer_list<const char*> keys;
  const char* command;
};

const std::array<FileKind, 5> kFileKinds{
    {{"a search", "searches", {"vary"}, "cairn search"},
     {"a study", "studies", {"assumptions", "claims"}, "cairn study"},
     {"a design", "designs", {"model", "device", "platform"}, "cairn run"},
     {"a chip", "chips", {"core", "main_memory"}, "cairn chip"},
     {"a platform", "platforms", {"topology"}, "cairn platform"}}};

// Throws ConfigError for an input that is of another kind, with the command for that kind.
void check_kind(const NamedFile& file, const std::string& what) {
  for (const FileKind& kind : kFileKinds) {
    const bool matches = std::ranges::all_of(
        kind.keys, [&](const char* key) { return file.config.find(key) != nullptr; });
    if (matches) {
      if (what != kind.what) {
        throw ConfigError({.file = file.config.where.file, .line = 0, .key = ""},
                          fmt::format("{} (expected {}; use {})", kind.what, what, kind.command));
      }
      return;
    }
  }
}

// Throws ConfigError for the name of a bundled file of another kind.
void check_name(const std::string& text, const char* folder, const std::string& what, Where where) {
  if (looks_like_path(text) || files_by_name(data_folders(folder)).contains(text)) {
    return;
  }
  const auto named = [&](const char* other) {
    return files_by_name(data_folders(other)).contains(text);
  };
  for (const FileKind& kind : kFileKinds) {
    if (named(kind.folder)) {
      throw ConfigError(
          std::move(where),
          fmt::format(
              "{} is {} (expected {}; use {})", in_quotes(text), kind.what, what, kind.command));
    }
  }
  for (const auto& [part, called] : {std::pair("models", "a model"), {"devices", "a device"}}) {
    if (named(part)) {
      throw ConfigError(std::move(where),
                        fmt::format("{} is {} (expected {}, which names a model, a device and a "
                                    "platform; cairn run takes a model with --device)",
                                    in_quotes(text),
                                    called,
                                    what));
    }
  }
}

}  // namespace

NamedFile load_input(const std::string& text,
                     const char* kind,
                     const std::string& what,
                     const std::string& flag) {
  check_name(text, kind, what, at(flag));
  NamedFile file = load_named(text, data_folders(kind), what, at(flag));
  const Config* verb = file.config.find("verb");
  if (verb != nullptr && file.config.find("cairn_version") != nullptr) {
    throw ConfigError({.file = file.config.where.file, .line = 0, .key = ""},
                      fmt::format("a result of cairn {} (expected {}; cairn compare reads results)",
                                  scalar_text(*verb, "a command"),
                                  what));
  }
  check_kind(file, what);
  return file;
}

Config written_design(const std::string& text, const std::vector<std::string>& settings) {
  const DataFolders folders = DataFolders::in(data_roots());
  NamedFile file = load_input(text, "designs", "a design", "DESIGN");
  print_notes(update_former_names(file.config));
  for (std::string setting : settings) {
    print_notes(update_former_names(setting));
    set_value_of_design(file.config, setting, folders);
    print_notes(update_former_names(file.config));  // inside a map that was set
  }
  return std::move(file.config);
}

report::Object values_of(const Config& design) {
  const DataFolders folders = DataFolders::in(data_roots());
  report::Object values;
  for (const auto& [key, text] : values_of_design(written_out_design(design, folders))) {
    values.push_back({key, text});
  }
  return values;
}

Config written_device(const std::string& text,
                      const std::vector<std::string>& settings,
                      const std::string& called) {
  const auto folders = chip::DeviceFolders::in(data_roots());
  Config config = value_of_flag(text, "--device");
  for (const std::string& setting : settings) {
    chip::set_value_of_device(config, setting, folders, called);
  }
  return chip::written_out(config, folders);
}

Feasible<chip::Device> read_device(const std::string& text,
                                   const std::vector<std::string>& settings) {
  auto device =
      chip::read_device(written_device(text, settings), chip::DeviceFolders::in(data_roots()));
  if (!device) {
    return device.reason();
  }
  chip::Device named = std::move(device).value();
  for (const std::string& setting : settings) {
    named.name += ", " + setting;
  }
  return named;
}

}  // namespace cairn::app
