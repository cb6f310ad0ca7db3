#include "apps/cairn/best_designs.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <regex>
#include <system_error>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "cairn/base/count_text.hpp"
#include "cairn/base/text_file.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/report/atomic_file.hpp"

namespace cairn::app {

namespace {

// First line of every file of --out, by which a later run recognizes its own files.
constexpr const char* kHeader =
    "# cairn search --out: the next search with this --out overwrites this file";

std::filesystem::path best_file(const std::filesystem::path& folder, std::size_t number) {
  return folder / ("best-" + std::to_string(number) + ".yaml");
}

// N of best-N.yaml; nothing for other names.
std::optional<std::size_t> number_of(const std::filesystem::path& file) {
  static const std::regex kName("best-([1-9][0-9]{0,8})\\.yaml");
  const std::string name = file.filename().string();
  std::smatch parts;
  return std::regex_match(name, parts, kName) ? std::optional(std::stoul(parts[1])) : std::nullopt;
}

bool is_of_a_search(const std::filesystem::path& file) {
  try {
    return read_text_file(file).starts_with(std::string(kHeader) + "\n");
  } catch (const ConfigError&) {
    return false;
  }
}

// Removes files of an earlier run with more designs, if this program wrote them.
void remove_others(const std::filesystem::path& folder, std::size_t last) {
  std::vector<std::filesystem::path> others;
  std::error_code ignored;  // unreadable files stay
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (number_of(entry.path()).value_or(0) > last) {
      others.push_back(entry.path());
    }
  }
  std::size_t kept = 0;
  for (const auto& file : others) {
    if (is_of_a_search(file)) {
      std::filesystem::remove(file, ignored);
    } else {
      ++kept;
    }
  }
  if (kept > 0) {
    fmt::print(stderr,
               "cairn: --out: kept {} in {} that cairn search did not write\n",
               count_text(kept, "file best-N.yaml", "files best-N.yaml"),
               in_quotes(folder.string()));
  }
}

}  // namespace

void refuse_to_replace(const std::vector<NamedPath>& inputs, const std::string& folder) {
  for (const auto& [place, path] : inputs) {
    std::error_code differ;
    const std::filesystem::path file = std::filesystem::absolute(path.value_or(""), differ);
    if (number_of(file) && std::filesystem::equivalent(file.parent_path(), folder, differ)) {
      throw ConfigError(
          at("--out"),
          fmt::format("{} is also given as {} (expected another folder)", in_quotes(*path), place));
    }
  }
}

void write_best_designs(const explore::Request& request,
                        const explore::Exploration& found,
                        const DataFolders& folders,
                        const std::string& folder) {
  std::error_code ignored;  // reported when the first file is written
  std::filesystem::create_directories(folder, ignored);
  std::size_t number = 0;
  for (const std::size_t member : found.front) {
    const Config design = written_out_design(
        request.designs.config(request.designs.settings(found.trials[member].point), folders),
        folders);
    const auto file = best_file(folder, ++number);
    report::write_atomically(file.string(), at("--out"), [&](std::ostream& out) {
      out << kHeader << "\n";
      for (std::size_t i = 0; i < design.keys.size(); ++i) {
        out << design.keys[i] << ": " << to_text(design.items[i]) << "\n";
      }
    });
  }
  remove_others(folder, number);
}

}  // namespace cairn::app
