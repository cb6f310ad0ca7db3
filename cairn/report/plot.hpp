// Charts on disk: data, an editable gnuplot script, and pictures if gnuplot is installed.
#pragma once

#include <filesystem>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::report {

struct Plotted {
  std::filesystem::path script{};
  bool drawn = false;
  std::string note{};  // why there are no pictures
};

// Creates the folder if necessary; throws ConfigError at `where` on failure.
void make_folder(const std::filesystem::path& folder, const Where& where);

// Throws ConfigError at `where` if the folder is not writable, or could not be created. Creates
// nothing.
void check_folder_writable(const std::filesystem::path& folder, const Where& where);

// Writes STEM.dat and STEM.gp into `folder` (created if necessary) and runs gnuplot, which writes
// STEM.svg and STEM.pdf; no other file is touched. Throws ConfigError at `where` if a file is not
// writable or gnuplot fails.
Plotted plot(const Chart& chart, const std::filesystem::path& folder, const Where& where);

}  // namespace cairn::report
