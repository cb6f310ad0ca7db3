#include "apps/cairn/input_files.hpp"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "apps/cairn/data.hpp"
#include "cairn/base/config.hpp"
#include "cairn/base/named_file.hpp"

namespace cairn::app {

namespace {

namespace fs = std::filesystem;

// Larger files are results or stores, which name no others.
constexpr std::uintmax_t kLargestConfig = std::uintmax_t{4} << 20U;

// All folders of the data: devices, tech/memory, ...
Folders all_data_folders() {
  Folders folders;
  for (const fs::path& root : data_roots()) {
    std::error_code unreadable;
    fs::recursive_directory_iterator entry(
        root, fs::directory_options::skip_permission_denied, unreadable);
    while (!unreadable && entry != fs::recursive_directory_iterator()) {
      if (std::error_code ignored; entry->is_directory(ignored)) {
        folders.push_back(entry->path());
      }
      entry.increment(unreadable);
    }
  }
  return folders;
}

class InputFiles {
 public:
  void add_argument(const std::string& flag, const std::string& text) {
    if (flag == "--set") {
      add_setting(text);
    } else if (!add_file(text, at(flag))) {
      add_text(text, at(flag));
    }
  }

  std::vector<NamedPath> take() && { return std::move(found_); }

 private:
  void add_setting(const std::string& setting) {
    Config set;
    try {
      set_value(set, setting);
    } catch (const ConfigError&) {
      return;  // reported by the command
    }
    add_values(set);
  }

  void add_values(const Config& config) {
    if (config.kind == Config::Kind::kScalar) {
      add_text(config.text, config.where);
    }
    for (const Config& item : config.items) {
      add_values(item);
    }
  }

  void add_text(std::string text, const Where& where) {
    constexpr std::string_view kChip = "chip:";
    if (text.starts_with(kChip)) {
      text = text.substr(kChip.size());
    }
    if (looks_like_path(text)) {
      add_file(beside(where, text), where);
      return;
    }
    for (const fs::path& folder : folders_) {
      add_file(folder / (text + ".yaml"), where);
    }
  }

  // Whether it is a file.
  bool add_file(const fs::path& file, const Where& where) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) {
      return false;
    }
    if (!seen_.insert(fs::weakly_canonical(file, unknown)).second) {
      return true;
    }
    found_.push_back({to_text(where), file.string()});
    if (fs::file_size(file, unknown) <= kLargestConfig) {
      try {
        add_values(load_config(file));
      } catch (const ConfigError&) {  // reported by the command, if it is to be YAML
      }
    }
    return true;
  }

  Folders folders_ = all_data_folders();
  std::set<fs::path> seen_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> input_files(const std::vector<NamedPath>& arguments) {
  InputFiles files;
  for (const auto& [flag, text] : arguments) {
    files.add_argument(flag, text.value_or(""));
  }
  return std::move(files).take();
}

}  // namespace cairn::app
