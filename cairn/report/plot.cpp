#include "cairn/report/plot.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cairn/report/atomic_file.hpp"
#include "cairn/report/chart_data.hpp"
#include "cairn/report/child_process.hpp"
#include "cairn/report/gnuplot_script.hpp"

namespace cairn::report {

namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) {
  std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

void make_folder(const fs::path& folder, const Where& where) {
  if (folder.empty()) {
    throw ConfigError(where, "is empty (expected the name of a folder)");
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder, failed)) {
    throw ConfigError(where,
                      in_quotes(folder.string()) + " is not a folder and cannot be created" +
                          (failed ? ": " + failed.message() : ""));
  }
}

void check_folder_writable(const fs::path& folder, const Where& where) {
  if (folder.empty()) {
    throw ConfigError(where, "is empty (expected the name of a folder)");
  }
  std::error_code unknown;
  fs::path there = fs::absolute(folder, unknown).lexically_normal();
  while (!fs::exists(fs::symlink_status(there, unknown)) && there.has_relative_path()) {
    there = there.parent_path();
  }
  if (!fs::is_directory(there, unknown)) {
    throw ConfigError(where,
                      in_quotes(folder.string()) + " is not a folder and cannot be created" +
                          (unknown ? ": " + unknown.message() : ""));
  }
  if (::access(there.c_str(), W_OK | X_OK) != 0) {
    throw ConfigError(where,
                      in_quotes(folder.string()) +
                          " cannot be written: " + std::generic_category().message(errno));
  }
}

Plotted plot(const Chart& chart, const fs::path& folder, const Where& where) {
  const std::string stem = file_stem(chart.name);
  const std::string data = chart_data(chart);
  const std::string script = chart_script(chart);
  make_folder(folder, where);
  for (const char* suffix : {".dat", ".gp", ".svg", ".pdf"}) {
    std::error_code unknown;
    const fs::path file = folder / (stem + suffix);
    const fs::file_status status = fs::symlink_status(file, unknown);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw ConfigError(where, in_quotes(file.string()) + " exists and is not a regular file");
    }
  }
  Plotted plotted{.script = folder / (stem + ".gp")};
  write_atomically(folder / (stem + ".dat"), where, [&](std::ostream& out) { out << data; });
  write_atomically(plotted.script, where, [&](std::ostream& out) { out << script; });
  const ChildResult done = run_in(folder, {"gnuplot", stem + ".gp"});
  if (!done.started) {
    plotted.note = "gnuplot cannot be run (" + done.error +
                   "): only data (.dat) and scripts (.gp) "
                   "were written";
    return plotted;
  }
  if (done.status != 0) {
    throw ConfigError(where,
                      "gnuplot could not draw " + in_quotes(plotted.script.string()) + ": " +
                          first_line(done.error));
  }
  plotted.drawn = true;
  return plotted;
}

}  // namespace cairn::report
